import { dayMs, minuteMs } from '@swarmdeck/bff/durations';
import { formatDayMonth, formatShortMonth } from '../../text/calendar.ts';
import { formatClockSeconds } from '../../text/formats.ts';
import { formatClock } from '../../text/text.ts';

/** The labels of the time axis. The first time of a day has its date below it, and the first month of a year its year. `distance`: of the ticks, in ms. */
export function timeLabels(ticks: readonly number[], distance: number): string[] {
  if (distance >= 28 * dayMs) return monthLabels(ticks);
  if (distance >= dayMs) return ticks.map(formatDayMonth);
  const clock = distance < minuteMs ? formatClockSeconds : formatClock;
  return ticks.map((at, index) => {
    const before = ticks[index - 1];
    const isNewDay = before === undefined || dayOf(before) !== dayOf(at);
    return isNewDay ? `${clock(at)}\n${formatDayMonth(at)}` : clock(at);
  });
}

function monthLabels(ticks: readonly number[]): string[] {
  return ticks.map((at, index) => {
    const before = ticks[index - 1];
    const isNewYear = before === undefined || yearOf(before) !== yearOf(at);
    return isNewYear ? `${formatShortMonth(at)}\n${yearOf(at)}` : formatShortMonth(at);
  });
}

const yearOf = (at: number) => new Date(at).getFullYear();
const dayOf = (at: number) => new Date(at).toDateString();
