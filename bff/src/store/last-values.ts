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
