import { useEffect, useEffectEvent, useState } from 'react';
import { entered, noChoice, chosenIndex, stepped } from './choice.ts';

/** The highlighted option, with the handlers of keys and pointer. */
export function useChoice({
  word,
  ids,
  settled,
  onChoose,
}: {
  word: string;
  ids: readonly string[];
  settled: boolean;
  onChoose(index: number, newTab: boolean): void;
}) {
  const [made, setMade] = useState(() => noChoice(word));
  const choice = made.word === word ? made : noChoice(word);
  const index = chosenIndex({ choice, ids });
  const { waiting } = choice;
  const chooseNow = useEffectEvent(() => onChoose(index, false));
  useEffect(() => {
    if (waiting && settled) chooseNow();
  }, [waiting, settled]);
  return {
    index,
    point: (to: number) => setMade({ word, id: ids[to] ?? null, waiting: false }),
    step: (by: number) => setMade(stepped({ choice, ids, by })),
    enter(newTab: boolean) {
      if (entered({ choice, settled }) === 'wait') setMade({ ...choice, waiting: true });
      else onChoose(index, newTab);
    },
  };
}
