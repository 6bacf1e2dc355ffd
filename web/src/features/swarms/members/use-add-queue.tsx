import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { keepJobs } from '../../../api/jobs/kept-jobs.ts';
import { pauseFor } from '../../../api/jobs/send-each.ts';
import { randomKey } from '../../../api/sending-key.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { onePerWaiting } from '../../../ui/waiting-held.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import { createSendQueue } from '../send-queue.ts';
import type { SendQueue, StoredJobs } from '../send-queue.ts';
import { addMember } from '../swarm-writes.api.ts';
import { useRefused } from '../use-refused.ts';

interface AddAbout {
  swarm: { id: string; name: string };
  role: MemberRole;
}

interface AddRow {
  id: string;
}

export type AddQueue = SendQueue<AddAbout, AddRow>;

interface Connected {
  queue: AddQueue;
  kept: StoredJobs<AddAbout, AddRow>;
}

const connectedBy = onePerWaiting(connect);

/** The open dialog shows results itself. */
const isDialogOpen = () => document.querySelector('.add-members') !== null;

/** The queue of own devices that are added to swarms. It survives the dialog, the page and the tab. */
export function useAddQueue(user_id: string): Connected {
  return connectedBy({
    waiting: useWaiting(),
    client: useQueryClient(),
    user_id,
    show: useToasts().show,
    refused: useRefused(),
  });
}

function connect({
  waiting,
  client,
  user_id,
  show,
  refused,
}: {
  waiting: Waiting;
  client: QueryClient;
  user_id: string;
  show: ReturnType<typeof useToasts>['show'];
  refused: ReturnType<typeof useRefused>;
}): Connected {
  const kept: Connected['kept'] = keepJobs({ name: `members:${user_id}` });
  const queue: AddQueue = createSendQueue({
    name: 'members',
    waiting,
    kept,
    newKey: randomKey,
    send: ({ id }, { about: { swarm, role }, key }) =>
      addMember({ swarm_id: swarm.id, resource_id: id, resource_type: role, key }),
    show: ({ about: { swarm }, lines }) => ({
      label: (
        <Rich text={t.add_members.adding(lines.length, formatNumber(lines.length))} swarm={<Bdi>{swarm.name}</Bdi>} />
      ),
      progress: <AddProgress queue={queue} />,
    }),
    onEnd({ about: { swarm }, lines }) {
      applyOwnChanges(client, { type: 'membership.changed', data: { swarm_id: swarm.id } });
      const failed = lines.filter(({ end }) => end && !end.ok);
      const added = lines.length - failed.length;
      if (added > 0) show({ title: t.add_members.added(added, formatNumber(added)), icon: 'check' });
      const error = failed.map(({ end }) => end && 'error' in end && end.error).find(Boolean);
      if (failed.length === 0 || isDialogOpen()) return;
      const title = t.add_members.some_failed(failed.length, formatNumber(failed.length));
      if (error) refused(title, error);
      else show({ title });
    },
    pause: pauseFor,
  });
  return { queue, kept };
}

export function AddProgress({ queue, bar = false }: { queue: AddQueue; bar?: boolean }) {
  const job = useSyncExternalStore(queue.subscribe, queue.job);
  if (!job || job.state === 'ended') return null;
  const paused = job.state === 'paused';
  const total = job.lines.length;
  return (
    <JobProgress
      text={(paused ? t.invite.paused : t.add_members.progress)(formatNumber(job.done), formatNumber(total))}
      paused={paused}
      words={t.invite}
      onPause={queue.pause}
      onResume={queue.resume}
      onStop={queue.stop}
      {...(bar && { bar: { done: job.done, total } })}
    />
  );
}
