import { useSyncExternalStore } from 'react';
import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonLook } from '../../ui/button.tsx';
import { useWaiting } from '../../ui/waiting-provider.tsx';
import type { Job } from './answers.ts';
import { useAnswers } from './answers-of.ts';
import { words } from './invitation-words.ts';

/** Takes back one answer, or the whole job; its time stands still while somebody is at it. */
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
      onPointerEnter={() => waiting.hold(true)}
      onPointerLeave={() => waiting.hold(false)}
      onFocus={() => waiting.hold(true)}
      onBlur={() => waiting.hold(false)}
    >
      <span className="numbers">{words.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}
