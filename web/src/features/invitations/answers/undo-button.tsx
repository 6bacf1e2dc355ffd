import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { ButtonLook } from '../../../ui/button.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import type { Job } from './answering-jobs.ts';
import { useAnswers } from './answers-of.ts';
import './undo-button.css';

/**
 * Undoes one answer, or the whole job. Focus on it pauses the countdown. The pointer does not: the button appears under
 * the pointer that has just pressed Accept or Reject.
 */
export function UndoButton({ job, id, look = 'accent', size }: { job: Job; id?: string } & ButtonLook) {
  const waiting = useWaiting();
  const answers = useAnswers();
  const seconds = useSyncExternalStore(
    waiting.subscribe,
    () => waiting.items().find(({ key }) => key === job.key)?.seconds ?? 0,
  );
  const [focused, setFocused] = useState(false);
  useEffect(() => (focused ? waiting.pause(job.key) : undefined), [focused, waiting, job.key]);
  const undo = () => {
    if (id === undefined) answers.undoJob(job.key);
    else answers.undo(id);
  };
  return (
    <Button
      look={look}
      {...(size && { size })}
      onClick={undo}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="numbers">{t.invitations.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}
