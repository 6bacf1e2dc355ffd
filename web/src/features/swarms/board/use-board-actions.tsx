import { useState } from 'react';
import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../api/actions.ts';
import { t } from '../../../text/text.ts';
import { useErrorToast } from '../../../ui/toast.tsx';
import { readBoard } from '../swarms.api.ts';
import { sentItem, type SentKind } from './board-actions.tsx';

/** Withdraws invitations, or sends them again. The user can undo it for some seconds. */
export function useBoardActions(swarm: SwarmItem) {
  const { start } = useActionRequests();
  const showError = useErrorToast();
  const [reading, setReading] = useState(false);
  const startItems = (kind: SentKind, invitations: readonly InvitationItem[]) => {
    const options = { about: {}, items: invitations.map(sentItem) };
    void start(kind === 'withdraw' ? { kind, ...options } : { kind, ...options });
  };

  return {
    start: startItems,
    /** Whether the stale invitations are being fetched. */
    reading,
    /** Fetches the stale invitations now: those that become stale while the action is pending are not included. */
    async startStale(kind: SentKind) {
      setReading(true);
      try {
        startItems(kind, await readBoard({ id: swarm.id, state: 'stale' }));
      } catch (error) {
        showError(error, t.board.not_read);
      }
      setReading(false);
    },
  };
}

export type BoardActions = ReturnType<typeof useBoardActions>;
