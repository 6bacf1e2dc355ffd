/** Which option is chosen: the first one, until somebody moves; then that one, wherever what arrives pushes it. */
interface Choice {
  /** What was typed when it was made: another word begins anew. */
  word: string;
  id: string | null;
  /** Enter was pressed before the answer came: what stood first a moment earlier is not what was meant. */
  waiting: boolean;
}

export const noChoice = (word: string): Choice => ({ word, id: null, waiting: false });

export function chosenIndex({ choice, ids }: { choice: Choice; ids: readonly string[] }): number {
  return Math.max(0, choice.id === null ? 0 : ids.indexOf(choice.id));
}

/** One by one it goes round; by more it stops at the ends. */
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
