/** The bulk job that withdraws invitations or sends them again. */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { applyOwnChanges } from '../../../api/changes.ts';
import { createBulkJob, useJobState, useResumeStored } from '../../../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobs } from '../../../api/jobs/bulk-job.ts';
import { oncePerClient } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { againOf, sendInvitation, withdrawInvitation } from '../swarm-writes.api.ts';
import type { BoardRow } from '../swarm-writes.api.ts';
import { useRefused } from '../use-refused.ts';

export type BoardAction = 'withdraw' | 'send_again';

export type BoardJob = BulkJob<{ act: BoardAction }, readonly BoardRow[]>;

const boardOf = oncePerClient(createBoardJobs);

export function useBoardJobs() {
  return boardOf({ client: useQueryClient(), show: useToasts().show, showFailure: useRefused() });
}

/** For app/resume-jobs.tsx. */
export function ResumeJobs() {
  useResumeStored(useBoardJobs());
  return null;
}

export function useBoardJobOf(id: string): BoardJob | undefined {
  const jobs = useBoardJobs();
  return useJobState(jobs, () => jobs.jobOf(id));
}

function createBoardJobs({
  client,
  show,
  showFailure,
}: {
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  showFailure: ReturnType<typeof useRefused>;
}) {
  const jobs: BulkJobs<{ act: BoardAction }, BoardRow> = createBulkJob<{ act: BoardAction }, BoardRow>({
    client,
    name: 'board',
    isUndoable: true,
    async send(row, { about: { act }, key, keepalive }) {
      if (act === 'withdraw') await withdrawInvitation({ swarm_id: row.swarm.id, id: row.id, keepalive });
      else await sendInvitation({ ...againOf(row), key, keepalive });
    },
    idOf: ({ id }) => id,
    // The list is fetched again when all of them have ended.
    keepsRows: true,
    toStored: ({ id, to, resource_id, resource_type, description, swarm }) => ({
      ...{ id, to, resource_id, resource_type, swarm: { id: swarm.id } },
      ...(description !== undefined && { description }),
    }),
    // A message and the headers of the request.
    bytesOf: ({ description = '' }, { act }) => (act === 'withdraw' ? 0 : 200 + 3 * description.length),
    labelOf: (key) => ({
      label: <BoardLabel jobKey={key} />,
      ...((jobs.job(key)?.total ?? 0) > 1 && {
        progress: <JobProgress jobs={jobs} jobKey={key} words={t.invite} text={progressOf} />,
      }),
    }),
    onEnd(job) {
      for (const swarm_id of new Set(job.source?.map(({ swarm }) => swarm.id))) {
        applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id } });
      }
      const { total, failed, results, error } = job;
      const sent = results.size - failed;
      const isWithdrawn = job.about.act === 'withdraw';
      const title = isWithdrawn ? t.board.withdrawn : t.board.sent_again;
      if (total > 1 && sent > 0) show({ title: title(sent), icon: 'check' });
      const failure = isWithdrawn ? t.board.not_withdrawn : t.board.not_sent;
      if (failed > 0) showFailure(failure(failed), error);
    },
  });

  function BoardLabel({ jobKey }: { jobKey: string }) {
    const job = useJobState(jobs, () => jobs.job(jobKey));
    const [first] = job?.source ?? [];
    if (!job || !first) return null;
    const { about, total } = job;
    if (total > 1) return t.board.doing_many[about.act](total);
    return <Rich text={t.board.doing_one[about.act]} to={<Bdi>{first.to}</Bdi>} />;
  }
  return jobs;
}

function progressOf({ state, results, total }: BoardJob): string {
  const text = state === 'paused' ? t.invite.paused : t.board.progress;
  return text(formatNumber(results.size), formatNumber(total));
}
