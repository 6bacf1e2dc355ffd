import { usePersistedDraft } from '../../../ui/persisted-draft.ts';

const noMessage = { message: '' };

/**
 * The message of an invitation, which is for the people of one swarm. What was written before a swarm was chosen, or was known, is for the
 * first one.
 */
export function useInviteMessage(user_id: string, swarm_id: string | undefined) {
  const [ofSwarm, setOfSwarm] = usePersistedDraft(`invite-message:${user_id}:${swarm_id ?? ''}`, noMessage);
  const [early, setEarly] = usePersistedDraft(`invite-message:${user_id}:`, noMessage);
  if (swarm_id !== undefined && early.message !== '') {
    setEarly(noMessage);
    if (ofSwarm.message === '') setOfSwarm(early);
  }
  const [{ message }, set] = swarm_id === undefined ? [early, setEarly] : [ofSwarm, setOfSwarm];
  return [message, (changed: string) => set({ message: changed })] as const;
}
