import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../data/actions/actions.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import '../../ui/pages/progress.css';
import './action-progress.css';

/** How far a running action is, with buttons to pause, resume and stop it. One item only says that it runs, unless it is paused. */
export function ActionProgress({ action }: { action: Action }) {
  const { pause, resume, stop } = useActionRequests();
  const { id, state, done, total } = action;
  const isPaused = state === 'paused';
  if (total === 1 && !isPaused) return action.is_waiting ? t.bulk.waiting : t.bulk.pending.sending;
  const isUploading = state === 'uploading';
  const text = isUploading
    ? t.bulk.uploading
    : isPaused
      ? t.bulk.paused
      : action.is_waiting
        ? t.bulk.unreachable
        : t.bulk.progress;
  const shown = text(formatNumber(done), formatNumber(total));
  return (
    <div className="line wraps action-progress numbers">
      <progress value={done} max={total} aria-label={shown} />
      <span>{shown}</span>
      {action.is_restored && <span>{t.bulk.restored}</span>}
      {!isUploading && (
        <Button size="small" acts onClick={() => void (isPaused ? resume(id) : pause(id))}>
          {isPaused ? t.bulk.resume : t.bulk.pause}
        </Button>
      )}
      <Button size="small" acts onClick={() => void stop(id)}>
        {t.bulk.stop}
      </Button>
    </div>
  );
}
