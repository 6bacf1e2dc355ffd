/** The highlighted option: the first one, until the user moves; then that option, also if new results move it. */
interface Choice {
  /** The text at that time: another text starts with the first option again. */
  word: string;
  id: string | null;
  /** Enter was pressed before the answer came: what stood first a moment earlier is not what was meant. */
  waiting: boolean;
}

export const noChoice = (word: string): Choice => ({ word, id: null, waiting: false });

export function chosenIndex({ choice, ids }: { choice: Choice; ids: readonly string[] }): number {
  return Math.max(0, choice.id === null ? 0 : ids.indexOf(choice.id));
}

/** Steps of one wrap around; larger steps stop at the ends. */
export function stepped({ choice, ids, by }: { choice: Choice; ids: readonly string[]; by: number }): Choice {
  const at = chosenIndex({ choice, ids });
  const { length } = ids;
  const to = Math.abs(by) === 1 ? (at + by + length) % length : Math.min(Math.max(0, at + by), length - 1);
  return { ...choice, id: ids[to] ?? null, waiting: false };
}

/** What Enter does now: choose this one, or wait. */
export function entered({ choice, settled }: { choice: Choice; settled: boolean }): 'choose' | 'wait' {
  return settled || choice.id !== null ? 'choose' : 'wait';
}
