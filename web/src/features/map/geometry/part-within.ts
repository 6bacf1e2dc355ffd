import type { Bbox } from './view.ts';

/** The part of a view, from 0 to 1, that is in a box. Without one, the box is the whole world. */
export function partWithin(view: Bbox, box: Bbox = [-Infinity, -Infinity, Infinity, Infinity]): number {
  const shared = (low: number, high: number) =>
    Math.max(0, Math.min(view[high]!, box[high]!) - Math.max(view[low]!, box[low]!)) / (view[high]! - view[low]!);
  return shared(0, 2) * shared(1, 3);
}
