import { useEffect } from 'react';
import { useHeld } from './answers-of.ts';

/** Goes on with many answers that were being sent when their page was closed. */
export function KeptAnswers() {
  const { answers, kept } = useHeld();
  useEffect(() => kept().watch(answers.goOn), [answers, kept]);
  return null;
}
