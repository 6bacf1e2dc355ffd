import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { applyOwnChanges } from '../../../api/changes.ts';
import { keepJobs } from '../../../api/jobs/kept-jobs.ts';
import { pauseFor } from '../../../api/jobs/send-each.ts';
import { randomKey } from '../../../api/sending-key.ts';
import { userOf } from '../../../api/user-of.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { onePerWaiting } from '../../../ui/waiting-held.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import { againOf, sendInvitation, withdrawInvitation } from '../swarm-writes.api.ts';
import { useRefused } from '../use-refused.ts';
import type { BoardJob, BoardJobs, KeptBoard } from './board-job.ts';
import { createBoardJobs } from './board-jobs.ts';

interface Held {
  jobs: BoardJobs;
  kept(): KeptBoard;
}

const heldBy = onePerWaiting(connect);

export function useBoardJobs(): BoardJobs {
  return useHeldBoard().jobs;
}

export function useHeldBoard(): Held {
  return heldBy({
    waiting: useWaiting(),
    client: useQueryClient(),
    show: useToasts().show,
    refused: useRefused(),
  });
}

function connect({
  waiting,
  client,
  show,
  refused,
}: {
  waiting: Waiting;
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  refused: ReturnType<typeof useRefused>;
}): Held {
  let keeping: KeptBoard | undefined;
  const kept = () => (keeping ??= keepJobs({ name: `board:${userOf(client)}` }));
  const jobs: BoardJobs = createBoardJobs({
    waiting,
    kept,
    async send({ act, item, key, keepalive }) {
      if (act === 'withdraw') await withdrawInvitation({ swarm_id: item.swarm.id, id: item.id, keepalive });
      else await sendInvitation({ ...againOf(item), key, keepalive });
    },
    show: ({ key, total }) => ({
      label: <JobLabel jobs={jobs} job={key} />,
      ...(total > 1 && { progress: <BoardProgress jobs={jobs} job={key} /> }),
    }),
    onEnd(job) {
      for (const swarm_id of new Set([...job.items.values()].map(({ swarm }) => swarm.id))) {
        applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id } });
      }
      tell({ job, show, refused });
    },
    newKey: randomKey,
    pause: pauseFor,
  });
  return { jobs, kept };
}

function tell({
  job: { act, total, done, failed, error },
  show,
  refused,
}: {
  job: BoardJob;
  show: ReturnType<typeof useToasts>['show'];
  refused: ReturnType<typeof useRefused>;
}) {
  const well = done - failed;
  const title = act === 'withdraw' ? t.board.withdrawn : t.board.sent_again;
  if (total > 1 && well > 0) show({ title: title(well, formatNumber(well)), icon: 'check' });
  const not = act === 'withdraw' ? t.board.not_withdrawn : t.board.not_sent;
  if (failed > 0) refused(not(failed, formatNumber(failed)), error);
}

/** How far many are, and how to hold them. */
function BoardProgress({ jobs, job: key }: { jobs: BoardJobs; job: string }) {
  const job = useSyncExternalStore(jobs.subscribe, () => jobs.job(key));
  if (!job) return null;
  const paused = job.state === 'paused';
  const counts = [formatNumber(job.done), formatNumber(job.total)] as const;
  return (
    <JobProgress
      text={paused ? t.invite.paused(...counts) : t.board.progress(...counts)}
      paused={paused}
      words={t.invite}
      onPause={() => jobs.pause(key)}
      onResume={() => jobs.resume(key)}
      onStop={() => jobs.stop(key)}
    />
  );
}

/** What waits, as it is said on other pages and read aloud on this one: how many it still is. */
function JobLabel({ jobs, job: key }: { jobs: BoardJobs; job: string }) {
  const job = useSyncExternalStore(jobs.subscribe, () => jobs.job(key));
  if (!job) return null;
  const [first] = job.items.values();
  const { act, total } = job;
  if (!first || total > 1) return t.board.doing_many[act](total, formatNumber(total));
  return <Rich text={t.board.doing_one[act]} to={<Bdi>{first.to}</Bdi>} />;
}

export function useBoardJobOf(id: string): BoardJob | undefined {
  const jobs = useBoardJobs();
  return useSyncExternalStore(jobs.subscribe, () => jobs.jobOf(id));
}
