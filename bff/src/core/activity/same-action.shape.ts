/** How many entries of a log belong to one bulk action. It is counted where they are read. */
import { bulkGapMs } from '../limits/field-rules.ts';
import { defineShape } from '../store/shape.ts';

/** Gets the times of the entries before the one at `after` that tell the same, newest first. Counts them until a gap. */
export const sameAction = defineShape(
  new URL('./same-action.shape.ts', import.meta.url),
  'sameAction',
  (entries: readonly { at: string }[], { after }: { after: string }): { count: number }[] => {
    const times = [after, ...entries.map(({ at }) => at)].map((at) => Date.parse(at));
    const gap = times.findIndex((time, index) => index > 0 && times[index - 1]! - time > bulkGapMs);
    return [{ count: (gap === -1 ? times.length : gap) - 1 }];
  },
);
