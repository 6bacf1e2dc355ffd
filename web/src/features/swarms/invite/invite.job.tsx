/** The bulk job that sends invitations from the invite page. The results stay until the user dismisses them. */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { InvitationRole } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { createBulkJob, useResumeStored } from '../../../api/jobs/bulk-job.ts';
import type { BulkJob, ShownResult } from '../../../api/jobs/bulk-job.ts';
import { oncePerClient } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { sendInvitation } from '../swarm-writes.api.ts';
import type { InviteRow } from './invite-check.ts';

export interface InviteAbout {
  swarm: { id: string; name: string };
  /** The role of lines without a role. */
  role: InvitationRole;
  message: string;
}

export type InviteJob = BulkJob<InviteAbout, readonly InviteRow[]>;

/** A line with its result; null until there is one. */
export type SentLine = InviteRow & { result: ShownResult | null };

const invitesOf = oncePerClient(createInvites);

export function useInvites() {
  return invitesOf({ client: useQueryClient(), show: useToasts().show });
}
export type Invites = ReturnType<typeof useInvites>;

/** For app/resume-jobs.tsx. */
export function ResumeJobs() {
  useResumeStored(useInvites());
  return null;
}

/** The page shows the result of each line itself. */
const isPageShown = () => document.querySelector('.invite') !== null;

function createInvites({ client, show }: { client: QueryClient; show: ReturnType<typeof useToasts>['show'] }) {
  const jobs = createBulkJob<InviteAbout, InviteRow>({
    client,
    name: 'invites',
    isSequential: true,
    send: ({ code, role }, { about: { swarm, message }, key, keepalive }) =>
      sendInvitation({
        swarm_id: swarm.id,
        key,
        keepalive,
        ...code,
        resource_type: role,
        ...(message !== '' && { description: message }),
      }),
    labelOf(key) {
      const { about, total = 0 } = jobs.job(key) ?? {};
      return {
        label: <Rich text={t.invite.sending_to(total)} swarm={<Bdi>{about?.swarm.name}</Bdi>} />,
        progress: <InviteProgress jobKey={key} />,
      };
    },
    onEnd({ about: { swarm }, total, results, failed }) {
      applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id: swarm.id } });
      if (isPageShown()) return;
      const sent = results.size - failed;
      const left = total - sent;
      show({
        title: t.invite.sent_many(sent),
        ...(left > 0 && { text: t.invite.left_many(left), tone: 'bad' as const }),
      });
    },
  });
  function InviteProgress({ jobKey, bar = false }: { jobKey: string; bar?: boolean }) {
    return <JobProgress jobs={jobs} jobKey={jobKey} words={t.bulk} text={progressOf} bar={bar} />;
  }
  return { ...jobs, Progress: InviteProgress };
}

function progressOf({ state, results, total }: InviteJob): string {
  const text = state === 'paused' ? t.invite.paused : t.invite.sending;
  return text(formatNumber(results.size), formatNumber(total));
}
