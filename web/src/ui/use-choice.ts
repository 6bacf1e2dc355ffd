import { useEffect, useEffectEvent, useState } from 'react';

/** The highlighted option: the first one until the user moves; then that option, even if new results move it. */
interface Choice {
  /** The text at that time. For another text the first option is highlighted again. */
  word: string;
  id: string | null;
  /** Enter was pressed before the results arrived, so the first option of the old results must not run. */
  isWaiting: boolean;
}

export const noChoice = (word: string): Choice => ({ word, id: null, isWaiting: false });

export function chosenIndex({ choice, ids }: { choice: Choice; ids: readonly string[] }): number {
  return Math.max(0, choice.id === null ? 0 : ids.indexOf(choice.id));
}

/** Steps of one wrap around; larger steps stop at the ends. */
export function stepped({ choice, ids, by }: { choice: Choice; ids: readonly string[]; by: number }): Choice {
  const at = chosenIndex({ choice, ids });
  const { length } = ids;
  const to = Math.abs(by) === 1 ? (at + by + length) % length : Math.min(Math.max(0, at + by), length - 1);
  return { ...choice, id: ids[to] ?? null, isWaiting: false };
}

/** The effect of Enter now: run the option, or wait for the results. */
export function entered({ choice, settled }: { choice: Choice; settled: boolean }): 'choose' | 'wait' {
  return settled || choice.id !== null ? 'choose' : 'wait';
}

interface ChoiceOptions {
  word: string;
  ids: readonly string[];
  settled: boolean;
  onChoose(index: number, newTab: boolean): void;
}

/** The highlighted option, with the handlers of keys and pointer. */
export function useChoice({ word, ids, settled, onChoose }: ChoiceOptions) {
  const [made, setMade] = useState(() => noChoice(word));
  const choice = made.word === word ? made : noChoice(word);
  const index = chosenIndex({ choice, ids });
  const { isWaiting } = choice;
  const chooseNow = useEffectEvent(() => onChoose(index, false));
  useEffect(() => {
    if (isWaiting && settled) chooseNow();
  }, [isWaiting, settled]);
  return {
    index,
    point: (to: number) => setMade({ word, id: ids[to] ?? null, isWaiting: false }),
    step: (by: number) => setMade(stepped({ choice, ids, by })),
    enter(newTab: boolean) {
      if (entered({ choice, settled }) === 'wait') setMade({ ...choice, isWaiting: true });
      else onChoose(index, newTab);
    },
  };
}
