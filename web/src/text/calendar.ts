/** Days and months, as pages other than home show them. */
import { dayMs } from '@swarmdeck/bff/durations';
import { createDateFormat, formatAgo, midnight } from './text.ts';

const dateWithYear = createDateFormat({ dateStyle: 'medium' });

/** `today`, `yesterday` or `9 Nov`, where the user is. `at`: an instant, or a day in UTC such as `2026-11-09`. */
export function formatDay(at: string, now: number): string {
  const time = Date.parse(at.length === '2026-11-09'.length ? `${at}T12:00:00.000Z` : at);
  const ago = Math.round((midnight(now) - midnight(time)) / dayMs);
  if (ago <= 1) return formatAgo({ count: Math.max(0, ago), unit: 'day' });
  return new Date(time).getFullYear() === new Date(now).getFullYear() ? formatDayMonth(time) : dateWithYear(time);
}

/** `9 Nov`. */
export const formatDayMonth = createDateFormat({ day: 'numeric', month: 'short' });

/** `Nov`. */
export const formatShortMonth = createDateFormat({ month: 'short' });

/** `November 2026`. */
export const formatMonth = createDateFormat({ month: 'long', year: 'numeric' });
