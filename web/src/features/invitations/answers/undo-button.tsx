import { useSyncExternalStore } from 'react';
import { formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { ButtonLook } from '../../../ui/button.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { words } from '../invitation-words.ts';
import type { Job } from './answering-jobs.ts';
import { useAnswers } from './answers-of.ts';
import './undo-button.css';

/**
 * Takes back one answer, or the whole job; its time stands still while it has the focus. Not while the pointer is on
 * it: it comes to stand under the pointer that has just answered, and would wait for ever.
 */
export function UndoButton({ job, id, look = 'accent', size }: { job: Job; id?: string } & ButtonLook) {
  const waiting = useWaiting();
  const answers = useAnswers();
  const seconds = useSyncExternalStore(
    waiting.subscribe,
    () => waiting.items().find(({ key }) => key === job.key)?.seconds ?? 0,
  );
  const undo = () => {
    if (id === undefined) answers.undoJob(job.key);
    else answers.undo(id);
    waiting.hold(false);
  };
  return (
    <Button
      look={look}
      {...(size && { size })}
      onClick={undo}
      onFocus={() => waiting.hold(true)}
      onBlur={() => waiting.hold(false)}
    >
      <span className="numbers">{words.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}
