/** Which keys of a device are kept. */
import { valueLimits } from '../../limits/part-limits.ts';
import type { LastValue, LastValues, Value } from '../../store/last-values.ts';

const replacedAfterMs = valueLimits.replacedAfterHours * 3_600_000;
const isNumber = (value: Value) => typeof value === 'number';

/** Notes a value as the last one of its key. Returns false if the device has as many keys as it may have: then it is not kept. */
export function noteLast(last: LastValues, said: { audience: number; key: string; value: Value; at: number }): boolean {
  const { audience, key, value, at } = said;
  let ofAudience = last.get(audience);
  const before = ofAudience?.get(key);
  const isKnown = before !== undefined && isNumber(before[1]) === isNumber(value);
  if (!isKnown && !hasPlace(last, said)) return false;
  if (!ofAudience) last.set(audience, (ofAudience = new Map<string, LastValue>()));
  if (!before || at >= before[0]) ofAudience.set(key, [at, value]);
  return true;
}

/** Whether one more key has a place. Removes one that was not sent for long, if it needs its place. */
function hasPlace(last: LastValues, { key, value, at }: { key: string; value: Value; at: number }): boolean {
  /** The keys of this kind, with their last times. */
  const known = new Map<string, number>();
  for (const ofAudience of last.values())
    for (const [name, [time, each]] of ofAudience)
      if (isNumber(each) === isNumber(value)) known.set(name, Math.max(known.get(name) ?? 0, time));
  if (known.has(key) || known.size < (isNumber(value) ? valueLimits.numbers : valueLimits.states)) return true;
  const [oldest, time] = [...known].reduce((a, b) => (b[1] < a[1] ? b : a));
  if (time > at - replacedAfterMs) return false;
  for (const ofAudience of last.values()) ofAudience.delete(oldest);
  return true;
}
