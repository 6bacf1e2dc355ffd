import { useState } from 'react';
import { isPostponed } from '../../../data/actions/shown-actions.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { UndoEnded } from '../../../shared/actions/undo-ended.tsx';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { rowLabels } from '../check/row-labels.ts';
import type { ImportAction } from '../import-action.ts';
import { useImport } from '../import-state.ts';
import '../../../ui/pages/progress.css';
import './job-box.css';

/** The running import, and its result. */
export function JobBox({ job }: { job: ImportAction }) {
  const { isUndoing, failedRows } = useImport('job');
  const { source } = useImport('source');
  const { error } = useImport('check');
  const { id, about, state, total, done, failed, is_waiting } = job;
  const box = useFocusAfterRemoval<HTMLElement>(id);
  const say = t.import.job;
  const isOver = state === 'ended';
  return (
    <section ref={box} tabIndex={-1} className="box stack gap-3 job" aria-label={t.import.start.title}>
      <div className="line gap-3 spread baseline">
        <h2 className="one-line">
          <Rich text={titleOf(job)} file={<Bdi>{about.file}</Bdi>} />
        </h2>
        {!isOver && (
          <span className="strong numbers">{say.percent(formatNumber(Math.floor((done / total) * 100)))}</span>
        )}
      </div>
      {isOver ? (
        <p>{isUndoing ? say.undoing : resultOf(job)}</p>
      ) : (
        <>
          <progress value={done} max={total} aria-labelledby="job-line" />
          <p id="job-line" className="quiet numbers">
            {say.progress(formatNumber(done), formatNumber(total))}
            {failed > 0 && ` · ${t.activity.actions.failed(failed)}`}
            {(state === 'running' || state === 'uploading') && <TimeLeft key={state} done={done} total={total} />}
          </p>
        </>
      )}
      <div aria-live="polite" className="stack job-notes">
        {is_waiting && state === 'running' && <Note tone="warn">{say.waiting}</Note>}
        {job.is_restored && <Note tone="warn">{t.bulk.restored}</Note>}
        {source && error && (
          <Note tone="bad" icon="warning">
            {t.import.file.errors[error]}
          </Note>
        )}
      </div>
      {failedRows.length > 0 && <FailedRows rows={failedRows} file={about.file} />}
      {isOver ? <ResultActions job={job} /> : <JobActions job={job} />}
    </section>
  );
}

function titleOf(job: ImportAction): string {
  const { state, done, total } = job;
  if (isPostponed(job)) return t.import.job.postponed;
  if (state === 'ended') return done < total ? t.import.job.stopped : t.import.job.done;
  return t.import.job[state];
}

/** The result in a sentence. */
export function resultOf({ done, failed, undone_by }: ImportAction): string {
  return undone_by === null ? t.import.job.imported(done - failed) : t.import.job.undone;
}

/** Extrapolates the remaining time from the rows that were done since it is shown. */
function TimeLeft({ done, total }: { done: number; total: number }) {
  const [since] = useState(() => ({ at: serverNow(), done }));
  const left = timeLeft({ ms: serverNow() - since.at, done: done - since.done, rest: total - done });
  if (!left) return null;
  const { minutes, seconds } = t.import.job;
  return ` · ${t.import.job.left(left.minutes ? minutes(formatNumber(left.minutes)) : seconds(formatNumber(left.seconds)))}`;
}

/** Undefined while too few rows are done. */
export function timeLeft({ ms, done, rest }: { ms: number; done: number; rest: number }) {
  if (ms < 1500 || done === 0) return undefined;
  const seconds = (ms / 1000 / done) * rest;
  if (seconds >= 90) return { minutes: Math.round(seconds / 60), seconds: 0 };
  // Rounded to 5 s, because a number that changes all the time is hard to read.
  return { minutes: 0, seconds: seconds > 10 ? Math.ceil(seconds / 5) * 5 : Math.max(1, Math.ceil(seconds)) };
}

function JobActions({ job }: { job: ImportAction }) {
  const { id, state, done, failed, total } = job;
  const requests = useActionRequests();
  const waits = isPostponed(job);
  const [isAsking, setAsking] = useState(false);
  const say = t.import.job;
  return (
    <div className="line wraps even-buttons">
      {state === 'paused' ? (
        <Button look="primary" sends onClick={() => void requests.resume(id)}>
          {t.bulk.resume}
        </Button>
      ) : (
        state === 'running' && (
          <Button icon="pause" sends onClick={() => void requests.pause(id)}>
            {t.bulk.pause}
          </Button>
        )
      )}
      <Button sends={!waits} onClick={() => (waits ? void requests.undo(id) : setAsking(true))}>
        {t.bulk.stop}
      </Button>
      <span className="to-end job-outlives quiet">
        {waits ? say.waits_here : state === 'uploading' ? say.keep_open : say.outlives}
      </span>
      {isAsking && (
        <ConfirmDialog
          title={say.stop_title}
          description={say.stop_text(
            state === 'uploading' ? 0 : done - failed,
            state === 'uploading' ? total : total - done,
          )}
          confirm={say.stop_confirm}
          cancel={say.go_on}
          onConfirm={() => {
            setAsking(false);
            void requests.stop(id);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function ResultActions({ job }: { job: ImportAction }) {
  const { retry } = useActionRequests();
  const { rest, fixRest, next } = useImport('job');
  const { source } = useImport('source');
  return (
    <div className="line wraps even-buttons">
      {job.undone_by === null && job.done > job.failed && (
        <ButtonLink look="primary" to={{ pathname: '/', search: `action=${job.id}` }}>
          {t.activity.actions.show_devices}
        </ButtonLink>
      )}
      {rest.length > 0 && <Button onClick={() => void fixRest()}>{t.import.job.fix_rest(rest.length)}</Button>}
      {job.failed > 0 && (
        <Button sends onClick={() => void retry(job.id)}>
          {t.activity.actions.retry}
        </Button>
      )}
      <UndoEnded action={job} />
      {source && <Button onClick={next}>{t.import.file.another}</Button>}
    </div>
  );
}

/** More rows are not listed, only counted. */
const mostShown = 100;

/** Rows that passed the dry run but failed at the service. */
function FailedRows({ rows, file }: { rows: ReturnType<typeof useImport<'job'>>['failedRows']; file: string }) {
  return (
    <div className="job-failed">
      <p>{t.import.job.not_taken(rows.length)}</p>
      <ul>
        {rows.slice(0, mostShown).map(({ line, name, result }) => {
          const { say, number } = rowLabels({ file, line });
          return (
            <li key={line}>
              {say.name(number)} <Bdi>{name}</Bdi>: <span className="bad">{problemSentence(result)}</span>
            </li>
          );
        })}
        {rows.length > mostShown && <li>{t.bulk.more(formatNumber(rows.length - mostShown))}</li>}
      </ul>
    </div>
  );
}
