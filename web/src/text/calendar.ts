/** Days and months, as pages other than home show them. */
import { dayMs } from '@swarmdeck/bff/durations';
import { createDateFormat, formatAgo } from './text.ts';

const utcDate = createDateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcDateWithYear = createDateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** `today`, `yesterday` or `9 Nov`, for a day in UTC such as `2026-11-09`. */
export function formatDay(day: string, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const ago = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  if (ago <= 1) return formatAgo({ count: Math.max(0, ago), unit: 'day' });
  return day.slice(0, 4) === today.slice(0, 4) ? utcDate(day) : utcDateWithYear(day);
}

/** `9 Nov`. */
export const formatDayMonth = createDateFormat({ day: 'numeric', month: 'short' });

/** `Nov`. */
export const formatShortMonth = createDateFormat({ month: 'short' });

/** `November 2026`. */
export const formatMonth = createDateFormat({ month: 'long', year: 'numeric' });
