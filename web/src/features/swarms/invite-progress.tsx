import { useSyncExternalStore } from 'react';
import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import './invite-progress.css';
import type { Invites } from './invites.ts';
import { words } from './swarm-words.ts';

const text = words.inviting;

/** How far the invitations are, and how to hold them: beside their result, and on other pages in their notice. */
export function InviteProgress({ invites, bar = false }: { invites: Invites; bar?: boolean }) {
  const job = useSyncExternalStore(invites.subscribe, invites.job);
  if (!job || job.state === 'ended') return null;
  const paused = job.state === 'paused';
  const progress = text.sending(formatNumber(job.done), formatNumber(job.lines.length));
  return (
    <div className="invite-progress numbers">
      {bar && <progress value={job.done} max={job.lines.length} aria-label={progress} />}
      <span>{paused ? text.paused(formatNumber(job.done), formatNumber(job.lines.length)) : progress}</span>
      <Button size="small" onClick={paused ? invites.resume : invites.pause}>
        {paused ? text.resume : text.pause}
      </Button>
      <Button size="small" onClick={invites.stop}>
        {text.stop}
      </Button>
    </div>
  );
}
