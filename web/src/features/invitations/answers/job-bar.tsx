import { useEffect, useState, useSyncExternalStore } from 'react';
import { usePendingActions } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { ButtonLook } from '../../../ui/button.tsx';
import { useAnswers } from './answers.job.tsx';
import type { AnswerJob } from './answers.job.tsx';
import './job-bar.css';

/** A bulk answer: first pending, with Undo, then its progress. */
export function JobBar({ job }: { job: AnswerJob }) {
  const { Progress } = useAnswers();
  const { key, about, state, total, results } = job;
  const title = t.invitations.waiting.many[about.answer](formatNumber(total));
  return (
    <section className="job-bar" aria-label={title}>
      <p className="job-words">{title}</p>
      {state === 'pending' ? <UndoButton job={job} look="plain" size="small" /> : <Progress jobKey={key} />}
      {state !== 'pending' && <progress aria-label={title} value={results.size} max={total} />}
    </section>
  );
}

/**
 * Undoes one answer, or the whole job. Focus on it pauses the countdown. The pointer does not: the button appears under
 * the pointer that has just pressed Accept or Reject.
 */
export function UndoButton({ job, id, look = 'accent', size }: { job: AnswerJob; id?: string } & ButtonLook) {
  const pending = usePendingActions();
  const answers = useAnswers();
  const seconds = useSyncExternalStore(
    pending.subscribe,
    () => pending.items().find(({ key }) => key === job.key)?.seconds ?? 0,
  );
  const [isFocused, setFocused] = useState(false);
  useEffect(() => (isFocused ? pending.pause(job.key) : undefined), [isFocused, pending, job.key]);
  return (
    <Button
      look={look}
      {...(size && { size })}
      onClick={() => (id === undefined ? answers.undoJob(job.key) : answers.undo(id))}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="numbers">{t.invitations.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}
