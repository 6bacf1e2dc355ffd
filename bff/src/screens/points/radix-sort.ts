import { side } from './morton.ts';

const digitBits = 13;
const digits = 2 ** digitBits;
/** The number of items per slice, which takes about a millisecond. */
const atOnce = 65_536;

/**
 * The stable sort order of keys below 2^52: four passes over digits of 13 bits. Yields between slices of about a
 * millisecond.
 */
export function* sortedOrder(keys: Float64Array): Generator<void, Uint32Array> {
  const size = keys.length;
  let from = { order: new Uint32Array(size), high: new Uint32Array(size), low: new Uint32Array(size) };
  let to = { order: new Uint32Array(size), high: new Uint32Array(size), low: new Uint32Array(size) };
  for (let at = 0; at < size; at++) {
    if (at % atOnce === atOnce - 1) yield;
    const high = Math.floor(keys[at]! / side);
    from.order[at] = at;
    from.high[at] = high;
    from.low[at] = keys[at]! - high * side;
  }
  for (const [half, shift] of [
    ['low', 0],
    ['low', digitBits],
    ['high', 0],
    ['high', digitBits],
  ] as const) {
    const next = startsOf(from[half], shift);
    for (let at = 0; at < size; at++) {
      if (at % atOnce === atOnce - 1) yield;
      const place = next[(from[half][at]! >>> shift) & (digits - 1)]!++;
      to.order[place] = from.order[at]!;
      to.high[place] = from.high[at]!;
      to.low[place] = from.low[at]!;
    }
    [from, to] = [to, from];
  }
  return from.order;
}

function startsOf(values: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(digits);
  for (let at = 0; at < values.length; at++) starts[(values[at]! >>> shift) & (digits - 1)]! += 1;
  let sum = 0;
  for (let digit = 0; digit < digits; digit++) {
    const count = starts[digit]!;
    starts[digit] = sum;
    sum += count;
  }
  return starts;
}
