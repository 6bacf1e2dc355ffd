import { useSyncExternalStore } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { JobProgress } from '../../../ui/job-progress.tsx';
import './invite-progress.css';
import type { InviteQueue } from './invite-ends.ts';

/** How far the invitations are: beside their result, and on other pages in their notice. */
export function InviteProgress({ invites, bar = false }: { invites: InviteQueue; bar?: boolean }) {
  const job = useSyncExternalStore(invites.subscribe, invites.job);
  if (!job || job.state === 'ended') return null;
  const paused = job.state === 'paused';
  const { done, lines } = job;
  return (
    <JobProgress
      text={(paused ? t.invite.paused : t.invite.sending)(formatNumber(done), formatNumber(lines.length))}
      paused={paused}
      words={t.invite}
      onPause={invites.pause}
      onResume={invites.resume}
      onStop={invites.stop}
      {...(bar && { bar: { done, total: lines.length } })}
    />
  );
}
