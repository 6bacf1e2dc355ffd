/** The values in a payload: its numbers, booleans and texts, by their paths. A text with a number is this number. */
import { dayMs } from '../../core/limits/durations.ts';
import { sentNumber } from '../../core/limits/field-rules.ts';
import { valueLimits } from './limits.ts';
import type { Value } from '../../core/store/last-values.ts';

/** The values of a message, at its time. */
export interface ValuesAt {
  /** In ms. */
  at: number;
  values: readonly (readonly [key: string, value: Value])[];
}

const { keyLength, textLength, ofPayload, hourDays } = valueLimits;
/** A number of seconds since 1970 is below it until the year 5138, a number of ms is above it since 1973. */
const leastMs = 1e11;

/** Values of a payload, by its own time if `byTime`. `sentAt`: in ms. Undefined if it has none. */
export function valuesIn(
  payload: unknown,
  { sentAt, byTime }: { sentAt: number; byTime: boolean },
): ValuesAt | undefined {
  const values: [string, Value][] = [];
  if (typeof payload === 'object' && payload !== null) {
    if (Array.isArray(payload)) return undefined;
    collect(payload as Record<string, unknown>, '', values, byTime);
  } else addValue('value', payload, values);
  return values.length === 0 ? undefined : { at: byTime ? timeOf(payload, sentAt) : sentAt, values };
}

function collect(object: Record<string, unknown>, path: string, values: [string, Value][], byTime: boolean): void {
  for (const name in object) {
    if (values.length >= ofPayload) return;
    const value = object[name];
    if (byTime && path === '' && name === 'time') continue;
    if (typeof value !== 'object') addValue(path + name, value, values);
    else if (value !== null && !Array.isArray(value))
      collect(value as Record<string, unknown>, `${path}${name}.`, values, byTime);
  }
}

function addValue(key: string, sent: unknown, values: [string, Value][]): void {
  if (key.length > keyLength) return;
  const value = sentNumber(sent);
  if (typeof value === 'string') values.push([key, value.slice(0, textLength).toWellFormed()]);
  else if (typeof value === 'boolean') values.push([key, value]);
  // A number beyond the greatest one is Infinity.
  else if (typeof value === 'number' && Number.isFinite(value)) values.push([key, value]);
}

/** The time that a payload gives, unless it is in the future or too old. */
function timeOf(payload: unknown, sentAt: number): number {
  const given = sentNumber((payload as { time?: unknown }).time);
  let at = Number.NaN;
  if (typeof given === 'number') at = given < leastMs ? given * 1000 : given;
  // A time without its zone would be of the server's.
  else if (typeof given === 'string' && /(?:Z|[+-]\d\d:?\d\d)$/.test(given)) at = Date.parse(given);
  return at <= sentAt && at > sentAt - hourDays * dayMs ? Math.round(at) : sentAt;
}
