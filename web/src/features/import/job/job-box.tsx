import { useState } from 'react';
import { errorParts } from '../../../api/problem.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { FileButton } from '../choose-file.tsx';
import { useFocusKept } from '../use-focus-kept.ts';
import type { Import } from '../use-import.ts';
import { isOver } from './import-state.ts';
import type { ImportState } from './import-state.ts';
import './job-box.css';
import { NotTakenRows } from './not-taken-rows.tsx';
import { percentOf, timeLeft } from './time-left.ts';

/** The import on its way, and what has become of it. */
export function JobBox({ page, job }: { page: Import; job: ImportState }) {
  const { plan, phase, made, notTaken } = job;
  const box = useFocusKept<HTMLElement>(plan);
  const file = <bdi>{plan.name}</bdi>;
  const ended = made + notTaken.length;
  const titles = { ...t.import.job, pausing: t.import.job.running };
  const over = isOver(job);
  return (
    <section ref={box} tabIndex={-1} className="box job" aria-label={t.import.start.title}>
      <div className="job-head">
        <h2>
          <Rich text={titles[phase]} file={file} />
        </h2>
        {!over && <span className="numbers">{t.import.job.percent(formatNumber(percentOf(ended, plan.rows)))}</span>}
      </div>
      {over ? (
        <p>{resultOf(job)}</p>
      ) : (
        <>
          <progress className="job-bar" value={ended} max={plan.rows} aria-labelledby="job-line" />
          <p className="job-line numbers">
            <span id="job-line">
              {t.import.job.progress(formatNumber(ended), formatNumber(plan.rows))}
              {phase === 'running' && <TimeLeft job={job} ended={ended} />}
            </span>
            {phase === 'running' && <span>{t.import.job.at_once}</span>}
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
  const say = plan.changes.length > 0 ? t.import.job.done_both : t.import.job.added;
  return say(made, formatNumber(made));
}

function TimeLeft({ job: { plan, since }, ended }: { job: ImportState; ended: number }) {
  const left = timeLeft({ ms: serverNow() - since.at, done: ended - since.ended, rest: plan.rows - ended });
  if (!left) return null;
  const time = left.minutes
    ? t.import.job.minutes(formatNumber(left.minutes))
    : t.import.job.seconds(formatNumber(left.seconds));
  return ` · ${t.import.job.left(time)}`;
}

/** What keeps it from going on, and what would help. */
function Notes({ page, job }: { page: Import; job: ImportState }) {
  const { phase, error, waiting, stale, file, plan } = job;
  return (
    <div aria-live="polite" className="job-notes">
      {waiting && phase === 'running' && <Note tone="warn">{t.import.job.waiting}</Note>}
      {phase === 'paused' && error !== null && (
        <Note tone="bad" icon="warning">
          {t.import.job.error} {problemSentence(errorParts(error))}
        </Note>
      )}
      {phase === 'paused' && stale && <Note tone="warn">{t.import.job.stale}</Note>}
      {phase === 'paused' && !file && (
        <Note tone="warn">
          <Rich text={t.import.job.choose_again} file={<bdi>{plan.name}</bdi>} />
        </Note>
      )}
      {page.otherFile && <Note tone="bad">{t.import.job.other_file}</Note>}
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
          {t.import.job.to_devices}
        </ButtonLink>
        <Button onClick={page.next}>{t.import.file.another}</Button>
      </div>
    );
  }
  if (phase === 'elsewhere') return null;
  return (
    <div className="job-acts">
      {phase !== 'paused' ? (
        <Button icon="pause" busy={phase === 'pausing'} onClick={page.pause}>
          {phase === 'pausing' ? t.import.job.pausing : t.import.job.pause}
        </Button>
      ) : file ? (
        <Button look="primary" onClick={page.resume}>
          {t.import.job.resume}
        </Button>
      ) : (
        <FileButton primary label={t.import.job.choose} onFile={(chosen) => void page.choose(chosen)} />
      )}
      <Button onClick={() => setAsking(true)}>{t.import.job.stop}</Button>
      <span className="job-outlives">{kept ? t.import.job.outlives : t.import.job.not_kept}</span>
      {asking && <StopDialog made={job.made} rest={rest} onClose={() => setAsking(false)} onStop={page.stop} />}
    </div>
  );
}

function StopDialog(props: { made: number; rest: number; onClose(): void; onStop(): void }) {
  const { made, rest, onClose, onStop } = props;
  return (
    <ConfirmDialog
      title={t.import.job.stop_title}
      description={t.import.job.stop_text(made, formatNumber(made), rest, formatNumber(rest))}
      act={t.import.job.stop_confirm}
      cancel={t.import.job.go_on}
      onAct={() => (onClose(), onStop())}
      onClose={onClose}
    />
  );
}
