/**
 * The bulk job that adds the user's own devices to a swarm. It continues after its dialog, its page or its tab was
 * closed.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { createBulkJob, useResumeStored } from '../../../api/jobs/bulk-job.ts';
import { sendInBatch } from '../../../api/send-in-batch.ts';
import type { BulkJob } from '../../../api/jobs/bulk-job.ts';
import { oncePerClient } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useErrorToast, useToasts } from '../../../ui/toast.tsx';

interface AddAbout {
  swarm: { id: string; name: string };
  role: MemberRole;
}

/** The device to add. */
interface AddRow {
  id: string;
}

type AddJob = BulkJob<AddAbout, readonly AddRow[]>;

const addJobsOf = oncePerClient(createAddJobs);

export function useAddMembers() {
  return addJobsOf({ client: useQueryClient(), show: useToasts().show, showError: useErrorToast() });
}

/** For app/resume-jobs.tsx. */
export function ResumeJobs() {
  useResumeStored(useAddMembers());
  return null;
}

/** The open dialog shows the errors itself. */
const isDialogOpen = () => document.querySelector('.add-members') !== null;

function createAddJobs({
  client,
  show,
  showError,
}: {
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  showError: ReturnType<typeof useErrorToast>;
}) {
  const jobs = createBulkJob<AddAbout, AddRow>({
    client,
    name: 'members',
    isSequential: true,
    send: ({ id }, { about: { swarm, role }, key, keepalive }) =>
      sendInBatch({
        method: 'POST',
        path: `/api/swarms/${swarm.id}/resources`,
        body: { resource_id: id, resource_type: role },
        key,
        keepalive,
      }),
    labelOf(key) {
      const { about, total = 0 } = jobs.job(key) ?? {};
      return {
        label: <Rich text={t.add_members.adding(total)} swarm={<Bdi>{about?.swarm.name}</Bdi>} />,
        progress: <AddProgress jobKey={key} />,
      };
    },
    onEnd({ about: { swarm }, total, results, failed, error }) {
      applyOwnChanges(client, { type: 'membership.changed', data: { swarm_id: swarm.id } });
      const added = results.size - failed;
      const left = total - added;
      if (added > 0) show({ title: t.add_members.added(added), icon: 'check' });
      if (left === 0 || isDialogOpen()) return;
      const title = t.add_members.some_failed(left);
      if (error) showError(error, title);
      else show({ title });
    },
  });
  function AddProgress({ jobKey, bar = false }: { jobKey: string; bar?: boolean }) {
    return <JobProgress jobs={jobs} jobKey={jobKey} words={t.bulk} text={progressOf} bar={bar} />;
  }
  return { ...jobs, Progress: AddProgress };
}

function progressOf({ state, results, total }: AddJob): string {
  const text = state === 'paused' ? t.invite.paused : t.add_members.progress;
  return text(formatNumber(results.size), formatNumber(total));
}
