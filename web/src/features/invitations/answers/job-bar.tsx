import { formatNumber, t } from '../../../text/text.ts';
import type { Job } from './answering-jobs.ts';
import { useAnswers } from './answers-of.ts';
import { AnswersProgress } from './answers-progress.tsx';
import './job-bar.css';
import { UndoButton } from './undo-button.tsx';

/** Many answers at once: first they wait with Undo, then they are counted as they are sent. */
export function JobBar({ job }: { job: Job }) {
  const answers = useAnswers();
  const { key, answer, state, total, done } = job;
  const title = t.invitations.waiting.many[answer](formatNumber(total));
  return (
    <section className="job-bar" aria-label={title}>
      <p className="job-words">{title}</p>
      {state === 'waiting' ? (
        <UndoButton job={job} look="plain" size="small" />
      ) : (
        <AnswersProgress answers={answers} jobKey={key} />
      )}
      {state !== 'waiting' && <progress aria-label={title} value={done} max={total} />}
    </section>
  );
}
