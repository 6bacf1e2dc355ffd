import { useQueryClient } from '@tanstack/react-query';
import type { Swarm } from '@swarmdeck/bff/contract';
import { endMembership, endMembershipKey } from '../../../api/end-membership.ts';
import { usePendingPhase } from '../../../api/pending-actions.ts';
import { errorParts } from '../../../api/problem.ts';
import { useUndoableMutation } from '../../../api/use-undoable-mutation.ts';
import { problemSentence, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';

/** Removes the user's own device from a swarm, with ten seconds to undo. */
export function LeaveSwarm({ swarm, id }: { swarm: Pick<Swarm, 'id' | 'name'>; id: string }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const membership = { swarm_id: swarm.id, resource_id: id };
  const key = endMembershipKey(membership);
  const leave = useUndoableMutation({
    key,
    label: <Rich text={t.device.leave_swarm.waiting} swarm={<Bdi>{swarm.name}</Bdi>} />,
    mutationFn: (_none, { keepalive }) => endMembership({ client, membership, keepalive }),
    onError: (error) =>
      toasts.show({ title: t.device.leave_swarm.failed, text: problemSentence(errorParts(error)), tone: 'bad' }),
  });
  const isPending = usePendingPhase(key) !== undefined;
  if (isPending) {
    return (
      <>
        <span className="box-quiet">{t.device.leave_swarm.leaving}</span>
        <Button look="accent" size="row" onClick={() => leave.undo()}>
          {t.device.leave_swarm.undo}
        </Button>
      </>
    );
  }
  return (
    <Button
      look="quiet"
      size="row"
      aria-label={t.device.leave_swarm.leave_of(swarm.name)}
      onClick={() => leave.mutate()}
    >
      {t.device.leave_swarm.leave}
    </Button>
  );
}
