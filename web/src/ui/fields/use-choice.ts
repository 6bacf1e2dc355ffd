import { useEffect, useEffectEvent, useState } from 'react';

/** The highlighted option: the first one until the user moves; then that option, even if new results move it. */
interface Choice {
  /** The text at that time. For another text the choice begins again. */
  word: string;
  id: string | null;
  /** Enter was pressed before the results arrived, so the first option of the old results must not run. */
  isWaiting: boolean;
}

export const noChoice = (word: string): Choice => ({ word, id: null, isWaiting: false });

interface Listed {
  choice: Choice;
  ids: readonly string[];
  /** The index of the option that is highlighted until the user moves. -1: none. */
  first?: number;
}

export function chosenIndex({ choice, ids, first = 0 }: Listed): number {
  const at = choice.id === null ? -1 : ids.indexOf(choice.id);
  return at === -1 ? first : at;
}

/** Steps of one wrap around; larger steps stop at the ends. */
export function stepped({ by, ...listed }: Listed & { by: number }): Choice {
  const { choice, ids } = listed;
  const { length } = ids;
  // Without one, a step back leads to the last option.
  const at = Math.max(by < 0 ? 0 : -1, chosenIndex(listed));
  const to = Math.abs(by) === 1 ? (at + by + length) % length : Math.min(Math.max(0, at + by), length - 1);
  return { ...choice, id: ids[to] ?? null, isWaiting: false };
}

/** The effect of Enter now: run the option, or wait for the results. */
export function entered({ choice, settled }: { choice: Choice; settled: boolean }): 'choose' | 'wait' {
  return settled || choice.id !== null ? 'choose' : 'wait';
}

interface ChoiceOptions extends Pick<Listed, 'ids' | 'first'> {
  word: string;
  settled: boolean;
  onChoose(index: number, newTab: boolean): void;
}

/** The highlighted option, with the handlers of keys and pointer. */
export function useChoice({ word, ids, first = 0, settled, onChoose }: ChoiceOptions) {
  const [made, setMade] = useState(() => noChoice(word));
  const choice = made.word === word ? made : noChoice(word);
  const index = chosenIndex({ choice, ids, first });
  const { isWaiting } = choice;
  const chooseNow = useEffectEvent(() => onChoose(index, false));
  useEffect(() => {
    if (isWaiting && settled) chooseNow();
  }, [isWaiting, settled]);
  return {
    index,
    point: (to: number) => setMade({ word, id: ids[to] ?? null, isWaiting: false }),
    step: (by: number) => setMade(stepped({ choice, ids, first, by })),
    /** Forgets the choice and an Enter that waits, because the same text may begin again later. */
    forget: () => setMade(noChoice('')),
    enter(newTab: boolean) {
      if (entered({ choice, settled }) === 'wait') setMade({ ...choice, isWaiting: true });
      else onChoose(index, newTab);
    },
  };
}
