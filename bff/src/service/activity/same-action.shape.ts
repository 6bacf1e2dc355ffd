/** How many entries of a log belong to one bulk action. It is counted where they are read. */
import { bulkGapMs } from '../../limits/field-rules.ts';
import { defineShape } from '../../store/shape.ts';

/** Gets the times of entries that tell the same, newest first. Counts those after the first one, until a gap. */
export const sameAction = defineShape(
  new URL('./same-action.shape.ts', import.meta.url),
  'sameAction',
  (entries: readonly { at: string }[]): { count: number }[] => {
    const times = entries.map(({ at }) => Date.parse(at));
    const end = times.findIndex((time, index) => index > 0 && times[index - 1]! - time > bulkGapMs);
    return [{ count: (end === -1 ? times.length : end) - 1 }];
  },
);
