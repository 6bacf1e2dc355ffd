import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { useJobState } from '../../../api/jobs/bulk-job.ts';
import { t } from '../../../text/text.ts';
import { useErrorToast, useToasts } from '../../../ui/toast.tsx';
import { againOf, sendInvitation } from '../swarm-writes.api.ts';
import { readBoard } from '../swarms.api.ts';
import type { InvitationActionName } from './board-actions.job.tsx';
import { useResends, useWithdrawals } from './board-actions.job.tsx';

/** Sends a single invitation again immediately. Withdrawals and bulk actions are pending for ten seconds. */
export function useBoardActions(swarm: SwarmItem) {
  const client = useQueryClient();
  const toasts = useToasts();
  const showError = useErrorToast();
  const jobs = { withdraw: useWithdrawals(), send_again: useResends() };
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
        await sendInvitation({ ...againOf(invitation), key: crypto.randomUUID() });
        toasts.show({ title: t.bulk.invitation_actions.send_again.done(1), icon: 'check' });
      } catch (error) {
        showError(error, t.bulk.invitation_actions.send_again.failed(1));
      }
      setBusy(null);
      applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id: swarm.id } });
    },
    withdraw: (invitation: InvitationItem) => void jobs.withdraw.startItems([invitation], {}),
    /** Fetches the stale invitations now: those that become stale while the action is pending are not included. */
    async startStale(name: InvitationActionName) {
      setReading(true);
      try {
        void jobs[name].startItems(await readBoard({ id: swarm.id, state: 'stale' }), {});
      } catch (error) {
        showError(error, t.board.not_read);
      }
      setReading(false);
    },
    undo: (name: InvitationActionName, id: string) => jobs[name].undo(id),
  };
}

export type BoardActions = ReturnType<typeof useBoardActions>;

/** The action that an invitation is part of, if it has no result yet. */
export function usePendingAction(id: string): { name: InvitationActionName; canUndo: boolean } | undefined {
  const withdrawals = useWithdrawals();
  const resends = useResends();
  const withdrawal = useJobState(withdrawals, () => withdrawals.jobOf(id));
  const resend = useJobState(resends, () => resends.jobOf(id));
  const job = withdrawal ?? resend;
  return job && { name: withdrawal ? 'withdraw' : 'send_again', canUndo: job.state === 'pending' };
}
