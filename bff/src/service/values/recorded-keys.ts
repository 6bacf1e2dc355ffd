/** Which keys of a device are recorded, and for which sets of swarms. */
import { hourMs } from '../../limits/durations.ts';
import { valueLimits } from '../../limits/part-limits.ts';
import { kindOf, setLast, type LastValues, type Value } from '../../store/last-values.ts';
import { writeAudiences, type Audiences } from '../../store/value-audiences.ts';

const { replacedAfterHours, numbers, states, audiences: mostAudiences, audienceBytes } = valueLimits;
const replacedAfterMs = replacedAfterHours * hourMs;

interface SentValue {
  audience: number;
  key: string;
  value: Value;
  /** In ms. */
  at: number;
}

/** Notes a value as the last one of its key. Returns false if the device has as many keys as it may have: then it is not recorded. */
export function updateLast(last: LastValues, sentValue: SentValue): boolean {
  const { audience, key, value, at } = sentValue;
  const before = last.get(audience)?.get(key)?.[kindOf(value)];
  if (!before && !hasRoom(last, sentValue)) return false;
  if (!before || at >= before[0]) setLast(last, { audience, key, value: [at, value] });
  return true;
}

/** Whether one more key has a place. Removes one that was not sent for long, if it needs its place. */
function hasRoom(last: LastValues, { key, value, at }: SentValue): boolean {
  const kind = kindOf(value);
  /** The keys of this kind, with their last times. */
  const known = new Map<string, number>();
  for (const ofAudience of last.values())
    for (const [name, { [kind]: each }] of ofAudience)
      if (each) known.set(name, Math.max(known.get(name) ?? 0, each[0]));
  if (known.has(key) || known.size < (kind === 'number' ? numbers : states)) return true;
  const [oldest, time] = [...known].reduce((a, b) => (b[1] < a[1] ? b : a));
  if (time > at - replacedAfterMs) return false;
  for (const ofAudience of last.values()) delete ofAudience.get(oldest)?.[kind];
  return true;
}

/**
 * The number of these swarms. A new set may take the place of one to which nothing was sent for long, whose values are then its owner's.
 * 0 if there is no place. `at`: in ms.
 */
export function audienceOf(
  audiences: Audiences,
  { swarms, last, at }: { swarms: readonly string[]; last: LastValues; at: number },
): number {
  const { sets } = audiences;
  const hour = Math.floor(at / hourMs);
  const isSame = (other: readonly string[]) =>
    other.length === swarms.length && other.every((id, index) => id === swarms[index]);
  for (const [number, set] of sets)
    if (isSame(set.swarms)) {
      set.hour = hour;
      return number;
    }
  while (sets.size >= mostAudiences || bytesWith(audiences, swarms) > audienceBytes) {
    const [oldest] = [...sets].reduce<readonly [number | undefined, number]>(
      (first, [number, set]) => (set.hour < first[1] ? [number, set.hour] : first),
      [undefined, hour - replacedAfterHours],
    );
    if (oldest === undefined) return 0;
    drop(oldest, { audiences, last });
  }
  const number = audiences.next++;
  sets.set(number, { swarms, hour });
  return number;
}

/** Ids are ASCII: a byte of each character. */
const bytesWith = ({ next, sets }: Audiences, swarms: readonly string[]) =>
  writeAudiences({ next, sets: new Map(sets).set(next, { swarms, hour: 0 }) }).length + 10;

/** The last values of an audience stay those of its owner. */
function drop(number: number, { audiences, last }: { audiences: Audiences; last: LastValues }): void {
  audiences.sets.delete(number);
  for (const [key, ofKey] of last.get(number) ?? [])
    for (const value of Object.values(ofKey)) {
      const before = last.get(0)?.get(key)?.[kindOf(value[1])];
      if (!before || before[0] < value[0]) setLast(last, { audience: 0, key, value });
    }
  last.delete(number);
}
