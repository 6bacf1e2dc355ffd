/** The last values of each key of a device, by the number of the audience to which they were sent (`device_values.last`). */
import { readAudiences } from './value-audiences.ts';

export type Value = number | string | boolean;
/** Numbers of a key, and its booleans and texts, are different series. */
export type ValueKind = 'number' | 'state';
export const kindOf = (value: Value): ValueKind => (typeof value === 'number' ? 'number' : 'state');

/** The time in ms. */
export type LastValue = readonly [at: number, value: Value];
export type LastOfKey = Partial<Record<ValueKind, LastValue>>;
/** Maps, because a key may be any text. */
export type LastValues = Map<number, Map<string, LastOfKey>>;

type Stored = [audience: number, values: [key: string, last: LastValue][]][];

export function readLast(text: string): LastValues {
  const last: LastValues = new Map();
  for (const [audience, values] of JSON.parse(text) as Stored)
    for (const [key, value] of values) setLast(last, { audience, key, value });
  return last;
}

export function setLast(
  last: LastValues,
  { audience, key, value }: { audience: number; key: string; value: LastValue },
): void {
  let ofAudience = last.get(audience);
  if (!ofAudience) last.set(audience, (ofAudience = new Map<string, LastOfKey>()));
  const ofKey = ofAudience.get(key);
  if (ofKey) ofKey[kindOf(value[1])] = value;
  else ofAudience.set(key, { [kindOf(value[1])]: value });
}

const valuesOf = (ofKey: LastOfKey): LastValue[] => Object.values(ofKey);

/** The newest value of a key, of both kinds. */
export const newestOfKey = (ofKey: LastOfKey): LastValue => valuesOf(ofKey).reduce((a, b) => (b[0] > a[0] ? b : a));

export const writeLast = (last: LastValues): string =>
  JSON.stringify(
    [...last].map(([audience, ofAudience]) => [
      audience,
      [...ofAudience].flatMap(([key, ofKey]) => valuesOf(ofKey).map((value) => [key, value])),
    ]),
  );

/** Writes values in `bytes` at most. Those whose key has a newer one in another audience are left out first, then the oldest ones. */
export function writeLastWithin(last: LastValues, bytes: number): string {
  const text = writeLast(last);
  let length = Buffer.byteLength(text);
  if (length <= bytes) return text;
  const entries = [...last].flatMap(([audience, ofAudience]) =>
    [...ofAudience].flatMap(([key, ofKey]) => valuesOf(ofKey).map((value) => ({ audience, key, value }))),
  );
  entries.sort((a, b) => b.value[0] - a.value[0]);
  const newest = new Set(
    new Map(entries.toReversed().map((each) => [`${kindOf(each.value[1])} ${each.key}`, each])).values(),
  );
  const inOrder = [...entries.filter((each) => newest.has(each)), ...entries.filter((each) => !newest.has(each))];
  while (length > bytes) {
    const { key, value } = inOrder.pop()!;
    length -= Buffer.byteLength(JSON.stringify([key, value])) + 1;
  }
  const within: LastValues = new Map();
  for (const each of inOrder) setLast(within, each);
  return writeLast(within);
}

/** Since when (in ms) a reader sees what went to these swarms; Infinity: never. Those of an audience that is not known are none. 'ever': the reader sees all. */
export type SeenSince = 'ever' | ((swarms: readonly string[]) => number);

/** The newest values of each of these keys that a reader sees. */
export function newestOf(
  device: { last: string; audiences: string },
  { keys, since }: { keys: readonly string[] | 'all'; since: SeenSince },
): Map<string, LastOfKey> {
  // A first look at a long list reads all its devices, so this makes no map of what nobody asks for.
  const sets = since === 'ever' ? undefined : readAudiences(device.audiences).sets;
  const newest = new Map<string, LastOfKey>();
  for (const [audience, values] of JSON.parse(device.last) as Stored) {
    const seen = since === 'ever' ? -Infinity : since(sets?.get(audience)?.swarms ?? []);
    for (const [key, value] of values) {
      if (keys !== 'all' && !keys.includes(key)) continue;
      const kind = kindOf(value[1]);
      const before = newest.get(key);
      if (value[0] < seen || value[0] < (before?.[kind]?.[0] ?? -Infinity)) continue;
      if (before) before[kind] = value;
      else newest.set(key, { [kind]: value });
    }
  }
  return newest;
}
