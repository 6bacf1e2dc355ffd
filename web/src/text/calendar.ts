/** Months, days and lists in words: what the first page says none of. */
import { locale } from './language.ts';
import { formatDaysAgo, spoken } from './text.ts';

const list = new Intl.ListFormat(locale, { type: 'conjunction' });
const monthYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const utcDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcDateWithYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Reads a list aloud: `a, b and c`. */
export function joinList(items: Iterable<string>): string {
  return list.format(items);
}

/** `today`, `yesterday` or `9 Nov` for a day in UTC, `2026-11-09`. */
export function formatDay(day: string, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const ago = Math.round((Date.parse(today) - Date.parse(day)) / (24 * 60 * 60_000));
  if (ago <= 1) return formatDaysAgo(Math.max(0, ago));
  const sameYear = day.slice(0, 4) === today.slice(0, 4);
  return spoken((sameYear ? utcDate : utcDateWithYear).format(Date.parse(day)));
}

export function formatMonth(at: string): string {
  return spoken(monthYear.format(new Date(at)));
}
