import { useQueryClient } from '@tanstack/react-query';
import type { Swarm } from '@swarmdeck/bff/contract';
import { errorParts } from '../../../api/problem.ts';
import { problemSentence, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { useWaitingItem } from '../../../ui/waiting-provider.tsx';
import { leaveSwarm } from '../resource-writes.api.ts';

/** Takes a device of mine out of a swarm, after ten seconds in which it can be undone. */
export function LeaveSwarm({ swarm, id }: { swarm: Pick<Swarm, 'id' | 'name'>; id: string }) {
  const client = useQueryClient();
  const waiting = useWaiting();
  const toasts = useToasts();
  // the same key as on the swarm's own page: it leaves once
  const key = `end-membership:${swarm.id}:${id}`;
  const going = useWaitingItem(key) !== undefined;
  if (going) {
    return (
      <>
        <span className="box-quiet">{t.device.leave_swarm.leaving}</span>
        <Button look="accent" size="row" onClick={() => waiting.undo(key)}>
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
      onClick={() =>
        waiting.add({
          key,
          label: <Rich text={t.device.leave_swarm.waiting} swarm={<Bdi>{swarm.name}</Bdi>} />,
          send: ({ keepalive }) => leaveSwarm({ client, id, swarm: swarm.id, keepalive }),
          onRefused: (error) =>
            toasts.show({ title: t.device.leave_swarm.refused, text: problemSentence(errorParts(error)), tone: 'bad' }),
        })
      }
    >
      {t.device.leave_swarm.leave}
    </Button>
  );
}
