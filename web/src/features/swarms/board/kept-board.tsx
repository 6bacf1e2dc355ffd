import { useEffect } from 'react';
import { useHeldBoard } from './board-jobs-of.tsx';

/** Goes on with what was being withdrawn or sent again when its page was closed. */
export function KeptBoard() {
  const { jobs, kept } = useHeldBoard();
  useEffect(() => kept().watch(jobs.goOn), [jobs, kept]);
  return null;
}
