import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { randomKey } from '../../../api/idempotency-key.ts';
import { t } from '../../../text/text.ts';
import { useToasts } from '../../../ui/toast.tsx';
import { againOf, sendInvitation } from '../swarm-writes.api.ts';
import { readBoard } from '../swarms.api.ts';
import { useRefused } from '../use-refused.ts';
import type { BoardAction } from './board.job.tsx';
import { useBoardJobs } from './board.job.tsx';

/** Sends a single invitation again immediately. Withdrawals and bulk actions are pending for ten seconds. */
export function useBoardActions(swarm: SwarmItem) {
  const client = useQueryClient();
  const toasts = useToasts();
  const refused = useRefused();
  const jobs = useBoardJobs();
  const [busy, setBusy] = useState<string | null>(null);
  const [reading, setReading] = useState(false);

  return {
    /** The invitation that is being sent again. */
    busy,
    /** Whether the stale invitations are being fetched. */
    reading,
    async sendAgain(invitation: InvitationItem) {
      setBusy(invitation.id);
      try {
        await sendInvitation({ ...againOf(invitation), key: randomKey() });
        toasts.show({ title: t.board.sent_again(1), icon: 'check' });
      } catch (error) {
        refused(t.board.not_sent(1), error);
      }
      setBusy(null);
      applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id: swarm.id } });
    },
    start: (act: BoardAction, items: readonly InvitationItem[]) => void jobs.start({ about: { act }, source: items }),
    /** Fetches the stale invitations now: those that become stale while the action is pending are not included. */
    async startStale(act: BoardAction) {
      setReading(true);
      try {
        void jobs.start({ about: { act }, source: await readBoard({ id: swarm.id, state: 'stale' }) });
      } catch (error) {
        refused(t.board.not_read, error);
      }
      setReading(false);
    },
    undo: jobs.undo,
  };
}

export type BoardActions = ReturnType<typeof useBoardActions>;
