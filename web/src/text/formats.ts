/** The formats that the home page does not need at first, besides those of days and months (calendar.ts). */
import type { Position } from '@swarmdeck/bff/contract';
import { isImperial } from './language.ts';
import { coordinateDecimals, createDateFormat, createFormat, createNumberFormat, formatDuration } from './text.ts';

const kilometresPerMile = 1.609344;
const metresPerFoot = 0.3048;
const distance = createNumberFormat({
  style: 'unit',
  unit: isImperial ? 'mile' : 'kilometer',
  maximumFractionDigits: 0,
});
const shortDistance = createNumberFormat({
  style: 'unit',
  unit: isImperial ? 'foot' : 'meter',
  maximumSignificantDigits: 2,
});

/** `40 km` or `240 m`, or `25 mi` or `790 ft` in the United States. */
export function formatDistance(kilometres: number): string {
  if (kilometres < 0.95) return shortDistance((kilometres * 1000) / (isImperial ? metresPerFoot : 1));
  return distance(isImperial ? kilometres / kilometresPerMile : kilometres);
}

/** `52.924000, 13.405000`. A point in every language, because a comma separates the two coordinates. */
export function formatPosition({ latitude, longitude }: Position): string {
  return `${latitude.toFixed(coordinateDecimals)}, ${longitude.toFixed(coordinateDecimals)}`;
}

const list = createFormat((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** `a, b and c`. */
export function joinList(items: Iterable<string>): string {
  return list().format(items);
}

const countries = createFormat((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }));

/** The name of a country in the user's language; undefined for an unknown code. */
export function countryName(code: string): string | undefined {
  return code === '' ? undefined : countries().of(code);
}

/** `14:32:08`, local. */
export const formatClockSeconds = createDateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `20 Nov 2026, 14:32:08`, local. */
export const formatDateTimeSeconds = createDateFormat({ dateStyle: 'medium', timeStyle: 'medium' });

/** `15 min`, `1 day`: a whole number of the largest unit. */
export function formatInterval(seconds: number): string {
  const units = [
    { unit: 'day', of: 86_400 },
    { unit: 'hour', of: 3600 },
    { unit: 'minute', of: 60 },
    { unit: 'second', of: 1 },
  ] as const;
  const { unit, of } = units.find((each) => seconds % each.of === 0)!;
  return formatDuration({ count: seconds / of, unit });
}

/** `30 days`. */
export function formatDays(count: number): string {
  return formatDuration({ count, unit: 'day' });
}
