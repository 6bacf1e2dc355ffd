/** Months, days and lists in words: what the first page says none of. */
import { locale } from './language.ts';
import { formatDate, formatDaysAgo, spoken } from './text.ts';

const list = new Intl.ListFormat(locale, { type: 'conjunction' });
const monthYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });

/** Reads a list aloud: `a, b and c`. */
export function joinList(items: Iterable<string>): string {
  return list.format(items);
}

/** `today`, `yesterday`, `9 Nov` for a day of the server's calendar, `2026-11-09`. */
export function formatDay(day: string, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const ago = Math.round((Date.parse(today) - Date.parse(day)) / (24 * 60 * 60_000));
  return ago <= 1 ? formatDaysAgo(Math.max(0, ago)) : formatDate(`${day}T12:00:00Z`, now);
}

export function formatMonth(at: string): string {
  return spoken(monthYear.format(new Date(at)));
}
