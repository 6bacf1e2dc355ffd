import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { pauseFor } from '../../api/send-each.ts';
import { randomKey } from '../../api/sending-key.ts';
import { formatNumber } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useWaiting } from '../../ui/use-waiting.ts';
import type { Waiting } from '../../ui/waiting.ts';
import { createBoardJobs } from './board-jobs.ts';
import type { BoardEnd, BoardJob, BoardJobs } from './board-jobs.ts';
import { words } from './swarm-words.ts';
import { againOf, sendInvitation, withdrawInvitation } from './swarm-writes.api.ts';
import { boardChanged } from './swarms.api.ts';
import { useRefused } from './use-refused.ts';

const text = words.board;

/** As many as there are places where things wait, which is one. */
const known = new WeakMap<Waiting, BoardJobs>();

export function useBoardJobs(): BoardJobs {
  const waiting = useWaiting();
  const client = useQueryClient();
  const toasts = useToasts();
  const refused = useRefused();
  let jobs = known.get(waiting);
  if (!jobs) {
    jobs = connect({ waiting, client, show: toasts.show, refused });
    known.set(waiting, jobs);
  }
  return jobs;
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
}): BoardJobs {
  const jobs: BoardJobs = createBoardJobs({
    waiting,
    async send({ act, item, key, keepalive }) {
      if (act === 'withdraw') await withdrawInvitation({ swarm_id: item.swarm.id, id: item.id, keepalive });
      else await sendInvitation({ ...againOf(item), key, keepalive });
    },
    label: (key) => <JobLabel jobs={jobs} job={key} />,
    onEnd: (end) => {
      for (const id of new Set(end.items.map(({ swarm }) => swarm.id))) boardChanged(client, id);
      tell({ end, show, refused });
    },
    newKey: randomKey,
    pause: pauseFor,
  });
  return jobs;
}

function tell({
  end: { act, items, failed, error },
  show,
  refused,
}: {
  end: BoardEnd;
  show: ReturnType<typeof useToasts>['show'];
  refused: ReturnType<typeof useRefused>;
}) {
  const done = items.length - failed;
  const title = act === 'withdraw' ? text.withdrawn : text.sent_again;
  if (items.length > 1 && done > 0) show({ title: title(done, formatNumber(done)), icon: 'check' });
  const not = act === 'withdraw' ? text.not_withdrawn : text.not_sent;
  if (failed > 0) refused(not(failed, formatNumber(failed)), error);
}

/** What waits, as it is said on other pages and read aloud on this one: how many it still is. */
function JobLabel({ jobs, job: key }: { jobs: BoardJobs; job: string }) {
  const job = useSyncExternalStore(jobs.subscribe, () => jobs.job(key));
  if (!job) return null;
  const [first] = job.items.values();
  const count = job.items.size;
  if (!first || count > 1) return text.doing_many[job.act](count, formatNumber(count));
  return <Rich text={text.doing_one[job.act]} to={<Bdi>{first.to}</Bdi>} />;
}

export function useBoardJobOf(id: string): BoardJob | undefined {
  const jobs = useBoardJobs();
  return useSyncExternalStore(jobs.subscribe, () => jobs.jobOf(id));
}
