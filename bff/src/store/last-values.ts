/** The last value of each key of a device, by the number of the audience to which it was sent (`device_values.last`). */

export type Value = number | string | boolean;
/** The time in ms. */
export type LastValue = readonly [at: number, value: Value];
/** Maps, because a key may be any text. */
export type LastValues = Map<number, Map<string, LastValue>>;

export const readLast = (text: string): LastValues =>
  new Map(
    (JSON.parse(text) as [number, [string, LastValue][]][]).map(([audience, values]) => [audience, new Map(values)]),
  );

export const writeLast = (last: LastValues): string =>
  JSON.stringify([...last].map(([audience, values]) => [audience, [...values]]));

/** Of `bytes` at most. Those whose key has a newer one in another audience are left out first, then the oldest ones. */
export function writeLastWithin(last: LastValues, bytes: number): string {
  const text = writeLast(last);
  let length = Buffer.byteLength(text);
  if (length <= bytes) return text;
  const all = [...last].flatMap(([audience, values]) => [...values].map(([key, [at]]) => ({ audience, key, at })));
  all.sort((a, b) => b.at - a.at);
  const newest = new Set(new Map(all.toReversed().map((value) => [value.key, value])).values());
  const [first, later] = [all.filter((value) => newest.has(value)), all.filter((value) => !newest.has(value))];
  const kept: LastValues = new Map(last);
  for (const { audience, key } of [...first, ...later].toReversed()) {
    if (length <= bytes) break;
    const values = new Map(kept.get(audience));
    length -= Buffer.byteLength(JSON.stringify([key, values.get(key)])) + 1;
    values.delete(key);
    kept.set(audience, values);
  }
  return writeLast(new Map([...kept].filter(([, values]) => values.size > 0)));
}

/** Since when (in ms) a reader sees what went to these swarms; Infinity: never. Those of the audience 0 are not known. */
export type SeenSince = (swarms: readonly string[]) => number;

/** The newest value of each of these keys that a reader sees. `audiences`: the swarms of the audiences from 1 on, as JSON. */
export function newestOf(
  device: { last: string; audiences: string },
  { keys, since }: { keys: readonly string[] | 'all'; since: SeenSince },
): Map<string, LastValue> {
  const swarms = JSON.parse(device.audiences) as string[][];
  const newest = new Map<string, LastValue>();
  for (const [audience, values] of readLast(device.last)) {
    const seen = since(swarms[audience - 1] ?? []);
    for (const key of keys === 'all' ? values.keys() : keys) {
      const value = values.get(key);
      if (value && value[0] >= seen && value[0] >= (newest.get(key)?.[0] ?? -Infinity)) newest.set(key, value);
    }
  }
  return newest;
}
