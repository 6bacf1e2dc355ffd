/** Which keys of a device are recorded, and for which sets of swarms. */
import { hourMs } from '../../core/limits/durations.ts';
import { valueLimits } from './limits.ts';
import { kindOf, setLast, type LastValues, type Value, type ValueKind } from '../../core/store/last-values.ts';
import { writeAudiences, type Audiences } from '../../core/store/value-audiences.ts';

const { replacedAfterHours, knownAfter, audiences: mostAudiences, audienceBytes } = valueLimits;
const replacedAfterMs = replacedAfterHours * hourMs;

interface SentValue {
  audience: number;
  key: string;
  value: Value;
  /** In ms. */
  at: number;
}

/** A key as a device sends it. Of a state also how often it changes. Values are compared by their hashes. */
interface KnownKey {
  key: string;
  kind: ValueKind;
  isRecorded: boolean;
  /** In ms: when it was last sent. */
  at: number;
  /** In how many messages it was, and in how many of them it had a new value: not the one before, and not the one before that. */
  sent: number;
  renewed: number;
  /** Whether it has gone back to a value that it had before. */
  returns: boolean;
  value: number;
  before: number;
}
/** Numbers that are not recorded have the first two. */
type StoredKey = [
  key: string,
  at: number,
  ...ofState: [] | [isRecorded: number, sent: number, renewed: number, returns: number, value: number, before: number],
];

export function readKnownKeys(text: string): KnownKey[] {
  const stored = (text === '' ? [] : JSON.parse(text)) as StoredKey[];
  return stored.map(([key, at, ...ofState]) => {
    const [isRecorded = 0, sent = 0, renewed = 0, returns = 0, value = 0, before = 0] = ofState;
    const kind = ofState.length === 0 ? 'number' : 'state';
    return { key, kind, at, isRecorded: isRecorded === 1, sent, renewed, returns: returns === 1, value, before };
  });
}

const writeKey = ({ key, kind, at, isRecorded, sent, renewed, returns, value, before }: KnownKey): StoredKey =>
  kind === 'number' ? [key, at] : [key, at, Number(isRecorded), sent, renewed, Number(returns), value, before];

/**
 * Which keys of a device have a place. `last`: its last values, which lose those of keys without one. `known`: what `write` has returned before.
 * `chosen`: the keys that the owner has chosen; null: what is worth it has a place.
 */
export function createKeyPlaces(options: { last: LastValues; known: string; chosen: readonly string[] | null }) {
  const { last, chosen } = options;
  const idOf = ({ key, kind }: Pick<KnownKey, 'key' | 'kind'>) => `${kind} ${key}`;
  /** Made when it is needed: not for numbers that have places. */
  let made: Map<string, KnownKey> | undefined;
  if (chosen) for (const each of known().values()) if (each.isRecorded && !chosen.includes(each.key)) leaveOut(each);

  function known(): Map<string, KnownKey> {
    if (made) return made;
    made = new Map(readKnownKeys(options.known).map((each) => [idOf(each), each]));
    for (const ofAudience of last.values())
      for (const [key, values] of ofAudience)
        for (const [kind, { 0: at }] of Object.entries(values) as [ValueKind, readonly [number, Value]][]) {
          const each = made.get(idOf({ key, kind })) ?? newKey({ key, kind, at });
          made.set(idOf(each), each);
          each.isRecorded = true;
          each.at = Math.max(each.at, at);
        }
    return made;
  }

  function leaveOut(each: KnownKey): void {
    each.isRecorded = false;
    for (const ofAudience of last.values()) delete ofAudience.get(each.key)?.[each.kind];
  }

  const ofKind = (kind: ValueKind, isRecorded: boolean) =>
    [...known().values()].filter((each) => each.kind === kind && each.isRecorded === isRecorded);

  /** The one that was sent longest ago, if that is long ago. */
  const oldOf = (keys: readonly KnownKey[], at: number) => {
    const oldest = keys.reduce((a, b) => (b.at < a.at ? b : a));
    return oldest.at <= at - replacedAfterMs ? oldest : undefined;
  };

  /** Whether a key that is not recorded gets a place: a free one, one that was not used for long, or of a state that is worth less. */
  function takesPlace(each: KnownKey, at: number): boolean {
    if (chosen && !chosen.includes(each.key)) return false;
    const recorded = ofKind(each.kind, true);
    if (recorded.length < (each.kind === 'number' ? valueLimits.numbers : valueLimits.states)) return true;
    const worth = chosen ? -1 : (worthOf(each) ?? -1);
    const least = recorded.reduce((a, b) => (leastWorth(b) < leastWorth(a) ? b : a));
    const given = oldOf(recorded, at) ?? (leastWorth(least) < worth ? least : undefined);
    if (given) leaveOut(given);
    return given !== undefined;
  }

  /** What was not sent before. Undefined if too many are known that have no place. */
  function knownKey(kind: ValueKind, { key, at }: SentValue): KnownKey | undefined {
    const before = known().get(idOf({ key, kind }));
    if (before) return before;
    const leftOut = ofKind(kind, false);
    if (leftOut.length >= valueLimits.leftOut) {
      const old = oldOf(leftOut, at);
      if (!old) return undefined;
      known().delete(idOf(old));
    }
    const each = newKey({ key, kind, at });
    known().set(idOf(each), each);
    return each;
  }

  function takesPart(kind: ValueKind, sentValue: SentValue): boolean {
    const each = knownKey(kind, sentValue);
    if (!each) return false;
    const { value, at } = sentValue;
    each.isRecorded ||= takesPlace(each, at);
    each.at = Math.max(each.at, at);
    if (kind === 'state') count(each, hashOf(value));
    return each.isRecorded;
  }

  return {
    /** Notes a value as the last one of its key. Returns false if the key has no place: then it is not recorded. */
    note(sentValue: SentValue): boolean {
      const { audience, key, value, at } = sentValue;
      const kind = kindOf(value);
      const before = last.get(audience)?.get(key)?.[kind];
      const hasPlace = before !== undefined && kind === 'number' && !made;
      if (!hasPlace && !takesPart(kind, sentValue)) return false;
      if (!before || at >= before[0]) setLast(last, { audience, key, value: [at, value] });
      return true;
    },

    /** Recorded numbers are in the last values. */
    write(): string {
      if (!made) return options.known;
      const stored = [...made.values()].filter(({ kind, isRecorded }) => kind === 'state' || !isRecorded);
      return stored.length === 0 ? '' : JSON.stringify(stored.map(writeKey));
    },
  };
}

const newKey = ({ key, kind, at }: Pick<KnownKey, 'key' | 'kind' | 'at'>): KnownKey => ({
  key,
  kind,
  at,
  isRecorded: false,
  sent: 0,
  renewed: 0,
  returns: false,
  value: 0,
  before: 0,
});

/** Of a state. Not counted for ever, so that what it was long ago does not count. */
function count(each: KnownKey, value: number): void {
  if (each.sent > 0 && value !== each.value) {
    if (value === each.before) each.returns = true;
    else each.renewed += 1;
    each.before = each.value;
  }
  each.value = value;
  each.sent += 1;
  if (each.sent < 16 * knownAfter) return;
  each.sent /= 2;
  each.renewed = Math.ceil(each.renewed / 2);
}

/** 2: a state that changes from time to time. 1: one that does not change. 0: a text that is another one in each message, as a clock. Undefined: of few messages. */
function worthOf({ kind, sent, renewed, returns }: KnownKey): number | undefined {
  if (kind === 'number' || sent < knownAfter) return undefined;
  if (returns || (renewed > 0 && knownAfter * renewed <= sent)) return 2;
  return renewed === 0 ? 1 : 0;
}

/** Of a key that has a place: it keeps it until more is known. */
const leastWorth = (each: KnownKey): number => worthOf(each) ?? Infinity;

function hashOf(value: Value): number {
  let hash = 1;
  for (const character of String(value)) hash = (31 * hash + character.codePointAt(0)!) | 0;
  return hash;
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
