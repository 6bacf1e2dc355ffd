import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { Job } from './answers.ts';
import { useAnswers } from './answers-of.ts';
import { words } from './invitation-words.ts';
import './job-bar.css';
import { UndoButton } from './undo-button.tsx';

/** Many answers at once: first they wait with Undo, then they are counted as they are sent. */
export function JobBar({ job }: { job: Job }) {
  const answers = useAnswers();
  const { key, answer, state, total, done } = job;
  const progress = words.waiting.progress(formatNumber(done), formatNumber(total));
  return (
    <div className="job-bar">
      <p className="job-words">
        {words.waiting.many[answer](formatNumber(total))}
        {state === 'sending' && <span className="job-progress numbers"> {progress}</span>}
      </p>
      {state === 'waiting' ? (
        <UndoButton job={job} look="plain" size="small" />
      ) : (
        <Button size="small" onClick={() => answers.stop(key)}>
          {words.waiting.stop}
        </Button>
      )}
      {state === 'sending' && (
        <progress aria-label={words.waiting.many[answer](formatNumber(total))} value={done} max={total} />
      )}
    </div>
  );
}
