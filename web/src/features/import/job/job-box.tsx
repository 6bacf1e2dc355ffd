import { useState } from 'react';
import { errorParts } from '../../../api/problem.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { formatNumber, problemSentence } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { FileButton } from '../choose-file.tsx';
import { words } from '../import-words.ts';
import { useFocusKept } from '../use-focus-kept.ts';
import type { Import } from '../use-import.ts';
import { isOver } from './import-state.ts';
import type { ImportState } from './import-state.ts';
import './job-box.css';
import { NotTakenRows } from './not-taken-rows.tsx';
import { percentOf, timeLeft } from './time-left.ts';

const text = words.job;

/** The import on its way, and what has become of it. */
export function JobBox({ page, job }: { page: Import; job: ImportState }) {
  const { plan, phase, made, notTaken } = job;
  const box = useFocusKept<HTMLElement>(plan);
  const file = <bdi>{plan.name}</bdi>;
  const ended = made + notTaken.length;
  const titles = { ...text, pausing: text.running };
  const over = isOver(job);
  return (
    <section ref={box} tabIndex={-1} className="box job" aria-label={words.start.title}>
      <div className="job-head">
        <h2>
          <Rich text={titles[phase]} file={file} />
        </h2>
        {!over && <span className="numbers">{text.percent(formatNumber(percentOf(ended, plan.rows)))}</span>}
      </div>
      {over ? (
        <p>{resultOf(job)}</p>
      ) : (
        <>
          <progress className="job-bar" value={ended} max={plan.rows} aria-labelledby="job-line" />
          <p className="job-line numbers">
            <span id="job-line">
              {text.progress(formatNumber(ended), formatNumber(plan.rows))}
              {phase === 'running' && <TimeLeft job={job} ended={ended} />}
            </span>
            {phase === 'running' && <span>{text.at_once}</span>}
          </p>
        </>
      )}
      <Notes page={page} job={job} />
      {notTaken.length > 0 && <NotTakenRows rows={notTaken} />}
      <Acts page={page} job={job} rest={plan.rows - ended} />
    </section>
  );
}

/** What has become of it, in a sentence. */
export function resultOf({ plan, made }: ImportState): string {
  const say = plan.changes.length > 0 ? text.done_both : text.added;
  return say(made, formatNumber(made));
}

function TimeLeft({ job: { plan, since }, ended }: { job: ImportState; ended: number }) {
  const left = timeLeft({ ms: serverNow() - since.at, done: ended - since.ended, rest: plan.rows - ended });
  if (!left) return null;
  const time = left.minutes ? text.minutes(formatNumber(left.minutes)) : text.seconds(formatNumber(left.seconds));
  return ` · ${text.left(time)}`;
}

/** What keeps it from going on, and what would help. */
function Notes({ page, job }: { page: Import; job: ImportState }) {
  const { phase, error, waiting, stale, file, plan } = job;
  return (
    <div aria-live="polite" className="job-notes">
      {waiting && phase === 'running' && <Note tone="warn">{text.waiting}</Note>}
      {phase === 'paused' && error !== null && (
        <Note tone="bad" icon="warning">
          {text.error} {problemSentence(errorParts(error))}
        </Note>
      )}
      {phase === 'paused' && stale && <Note tone="warn">{text.stale}</Note>}
      {phase === 'paused' && !file && (
        <Note tone="warn">
          <Rich text={text.choose_again} file={<bdi>{plan.name}</bdi>} />
        </Note>
      )}
      {page.otherFile && <Note tone="bad">{text.other_file}</Note>}
    </div>
  );
}

function Acts({ page, job, rest }: { page: Import; job: ImportState; rest: number }) {
  const [asking, setAsking] = useState(false);
  const { phase, file, kept } = job;
  if (isOver(job)) {
    return (
      <div className="job-acts">
        <ButtonLink look="primary" to="/">
          {text.to_devices}
        </ButtonLink>
        <Button onClick={page.next}>{words.file.another}</Button>
      </div>
    );
  }
  if (phase === 'elsewhere') return null;
  return (
    <div className="job-acts">
      {phase !== 'paused' ? (
        <Button icon="pause" busy={phase === 'pausing'} onClick={page.pause}>
          {phase === 'pausing' ? text.pausing : text.pause}
        </Button>
      ) : file ? (
        <Button look="primary" onClick={page.resume}>
          {text.resume}
        </Button>
      ) : (
        <FileButton primary label={text.choose} onFile={(chosen) => void page.choose(chosen)} />
      )}
      <Button onClick={() => setAsking(true)}>{text.stop}</Button>
      <span className="job-outlives">{kept ? text.outlives : text.not_kept}</span>
      {asking && <StopDialog made={job.made} rest={rest} onClose={() => setAsking(false)} onStop={page.stop} />}
    </div>
  );
}

function StopDialog(props: { made: number; rest: number; onClose(): void; onStop(): void }) {
  const { made, rest, onClose, onStop } = props;
  return (
    <ConfirmDialog
      title={text.stop_title}
      description={text.stop_text(made, formatNumber(made), rest, formatNumber(rest))}
      act={text.stop_confirm}
      cancel={text.go_on}
      onAct={() => (onClose(), onStop())}
      onClose={onClose}
    />
  );
}
