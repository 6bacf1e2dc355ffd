import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { deviceSelectionOf } from '../../../api/device-selection.ts';
import { errorSentence } from '../../../api/problem.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { FileButton } from '../choose-file.tsx';
import { useFocusAfterRemoval } from '../../../ui/use-focus-after-removal.ts';
import { restOf } from '../use-import.ts';
import type { Import } from '../use-import.ts';
import { createdBy, failedRows, isOver, madeBy, phaseOf } from './import.job.tsx';
import type { FailedRow, ImportJob } from './import.job.tsx';
import './job-box.css';
import { percentOf, timeLeft } from './import-strip.tsx';

/** The running import, and its result. */
export function JobBox({ page, job }: { page: Import; job: ImportJob }) {
  const { about, results, total } = job;
  const phase = phaseOf(job);
  const failed = failedRows(job);
  const box = useFocusAfterRemoval<HTMLElement>(job.key);
  const file = <bdi>{about.name}</bdi>;
  const ended = results.size;
  const titles = { ...t.import.job, pausing: t.import.job.running };
  const over = isOver(job);
  return (
    <section ref={box} tabIndex={-1} className="box job" aria-label={t.import.start.title}>
      <div className="job-head">
        <h2 className="one-line">
          <Rich text={titles[phase]} file={file} />
        </h2>
        {!over && <span className="numbers">{t.import.job.percent(formatNumber(percentOf(ended, total)))}</span>}
      </div>
      {over ? (
        <p>{resultOf(job)}</p>
      ) : (
        <>
          <progress value={ended} max={total} aria-labelledby="job-line" />
          <p id="job-line" className="quiet numbers">
            {t.import.job.progress(formatNumber(ended), formatNumber(total))}
            {phase === 'running' && <TimeLeft job={job} ended={ended} />}
          </p>
        </>
      )}
      <Notes page={page} job={job} />
      {failed.length > 0 && <FailedRows rows={failed} />}
      <JobActions page={page} job={job} rest={total - ended} />
    </section>
  );
}

/** The result in a sentence. */
export function resultOf(job: ImportJob): string {
  const made = madeBy(job);
  const say = job.about.changes.length > 0 ? t.import.job.done_both : t.import.job.added;
  return say(made);
}

function TimeLeft({ job: { total, since }, ended }: { job: ImportJob; ended: number }) {
  const left = timeLeft({ ms: serverNow() - since.at, done: ended - since.ended, rest: total - ended });
  if (!left) return null;
  const time = left.minutes
    ? t.import.job.minutes(formatNumber(left.minutes))
    : t.import.job.seconds(formatNumber(left.seconds));
  return ` · ${t.import.job.left(time)}`;
}

/** Explains why the import is paused, and what the user can do. */
function Notes({ page, job }: { page: Import; job: ImportJob }) {
  const { pauseError, isUnreachable, isStale, source, about } = job;
  const phase = phaseOf(job);
  return (
    <div aria-live="polite" className="job-notes">
      {isUnreachable && phase === 'running' && <Note tone="warn">{t.import.job.unreachable}</Note>}
      {phase === 'paused' && pauseError !== null && (
        <Note tone="bad" icon="warning">
          {t.import.job.error} {errorSentence(pauseError)}
        </Note>
      )}
      {phase === 'paused' && isStale && <Note tone="warn">{t.import.job.stale}</Note>}
      {phase === 'paused' && !source && (
        <Note tone="warn">
          <Rich text={t.import.job.choose_again} file={<bdi>{about.name}</bdi>} />
        </Note>
      )}
      {page.otherFile && <Note tone="bad">{t.import.job.other_file}</Note>}
    </div>
  );
}

function JobActions({ page, job, rest }: { page: Import; job: ImportJob; rest: number }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const selection = deviceSelectionOf({ client: useQueryClient() });
  const phase = phaseOf(job);
  if (isOver(job)) {
    const created = createdBy(job);
    const left = restOf({ source: page.source, job }).length;
    return (
      <div className="job-actions">
        <ButtonLink look="primary" to="/">
          {t.import.job.to_devices}
        </ButtonLink>
        {created.length > 0 && (
          <Button
            onClick={() => {
              selection.select(created);
              void navigate('/');
            }}
          >
            {t.import.job.select_created(created.length)}
          </Button>
        )}
        {left > 0 && <Button onClick={() => void page.fixRest()}>{t.import.job.fix_rest(left)}</Button>}
        <Button onClick={page.next}>{t.import.file.another}</Button>
      </div>
    );
  }
  if (phase === 'elsewhere') return null;
  return (
    <div className="job-actions">
      {phase !== 'paused' ? (
        <Button icon="pause" busy={phase === 'pausing'} onClick={page.pause}>
          {phase === 'pausing' ? t.import.job.pausing : t.bulk.pause}
        </Button>
      ) : job.source ? (
        <Button look="primary" onClick={page.resume}>
          {t.bulk.resume}
        </Button>
      ) : (
        <FileButton primary label={t.import.job.choose} onFile={(chosen) => void page.choose(chosen)} />
      )}
      <Button onClick={() => setAsking(true)}>{t.bulk.stop}</Button>
      <span className="job-outlives quiet">{job.isStored ? t.import.job.outlives : t.import.job.not_stored}</span>
      {asking && (
        <ConfirmDialog
          title={t.import.job.stop_title}
          description={t.import.job.stop_text(madeBy(job), rest)}
          confirm={t.import.job.stop_confirm}
          cancel={t.import.job.go_on}
          onConfirm={() => {
            setAsking(false);
            page.stop();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** More rows are not listed, only counted. */
const mostShown = 100;

/** Rows that passed the dry run but failed at the service. */
function FailedRows({ rows }: { rows: readonly FailedRow[] }) {
  return (
    <div className="job-failed">
      <p>{t.import.job.not_taken(rows.length)}</p>
      <ul>
        {rows.slice(0, mostShown).map(({ line, name, code, detail }) => (
          <li key={line}>
            {t.import.check.line(formatNumber(line))} <bdi>{name}</bdi>:{' '}
            {problemSentence({ code, ...(detail && { detail }) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
