import type { MemberRole } from '@swarmdeck/bff/contract';
import { choiceUntil, type ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { changeDraft, usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';

/** What an invitation says to the people of one swarm: a message, the role, and until when the device is invited. */
export interface InviteTerms extends ChosenEnd {
  message: string;
  /** Empty until the user chooses one. */
  role: MemberRole | '';
}

export const noTerms: InviteTerms = { message: '', role: '', choice: 'none', date: '' };

const draftFor = (user_id: string, swarm_id: string) => `invite-message:${user_id}:${swarm_id}`;

/** The terms for each swarm. What was chosen before a swarm was chosen, or was known, is newer: it is for the first one. */
export function useInviteTerms(user_id: string, swarm_id: string | undefined) {
  const [ofSwarm, setOfSwarm, noteSent] = usePersistedDraft<Fields>(draftFor(user_id, swarm_id ?? ''), { ...noTerms });
  const [early, setEarly, noteEarlySent] = usePersistedDraft<Fields>(draftFor(user_id, ''), { ...noTerms });
  if (swarm_id !== undefined) {
    const { message, role, ...end } = early;
    const chosen = {
      ...(message !== '' && { message }),
      ...(role !== '' && { role }),
      ...(end.choice !== 'none' && end),
    };
    if (Object.keys(chosen).length > 0) {
      setEarly({ ...noTerms });
      setOfSwarm(chosen);
    }
  }
  return swarm_id === undefined
    ? ([early, setEarly, noteEarlySent] as const)
    : ([ofSwarm, setOfSwarm, noteSent] as const);
}

interface KeptTerms extends Pick<AgainOptions, 'about' | 'now'> {
  user_id: string;
  swarm_id: string;
}

/** The form for a swarm will have the terms of an earlier invitation, unless the user has chosen others. Not by a URL, which others log. */
export function keepTerms({ user_id, swarm_id, ...again }: KeptTerms): void {
  changeDraft<Fields>(draftFor(user_id, swarm_id), { ...noTerms }, (terms) =>
    termsAgain({ terms, sent: noTerms, ...again }),
  );
}

interface AgainOptions {
  /** What the form has now. */
  terms: InviteTerms;
  /** The end that was chosen for the action. Without one, this page did not start it. */
  sent: ChosenEnd;
  about: { description?: string | undefined; ends_at?: string | undefined };
  now: number;
}

/** The terms for what is sent again, unless the user has chosen others since. An end never becomes later. */
export function termsAgain({ terms, sent, about, now }: AgainOptions): InviteTerms {
  const message = terms.message === '' ? (about.description ?? '') : terms.message;
  if (terms.choice !== 'none' || about.ends_at === undefined) return { ...terms, message };
  const { choice, date } = sent.choice === 'none' ? choiceUntil(about.ends_at, now) : sent;
  return { ...terms, message, choice, date };
}

/** A type, not an interface, because a draft is a record. */
type Fields = Pick<InviteTerms, keyof InviteTerms>;
