/** When a link or a consent ends. A consent may also have no end. */
import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import { dayOf, endOfDay } from '../../data/server-clock.ts';

const endChoices = ['quarter', 'half', 'three_quarters', 'hour', 'evening', 'day', 'week', 'time', 'date'] as const;
type EndChoice = (typeof endChoices)[number];

/** `date`: of the choice `date`, or the time of the choice `time`, as an input of that type has it. */
export interface ChosenEnd {
  choice: EndChoice | 'none';
  date: string;
}

/** In ms from now, `least` and `most`; in ms, an end that it must be later than, and the latest one. */
export interface EndLimits {
  least: number;
  most: number;
  after?: number | undefined;
  latest?: number | undefined;
}

export const linkLimits: EndLimits = { least: hourMs, most: 30 * dayMs };

const eveningHour = 22;

const lengths: Partial<Record<ChosenEnd['choice'], number>> = {
  quarter: 15 * minuteMs,
  half: 30 * minuteMs,
  three_quarters: 45 * minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
};

/** When it ends, in ms. NaN without a date or a time. */
export function endOf({ choice, date }: ChosenEnd, now: number): number {
  const length = lengths[choice];
  if (length !== undefined) return now + length;
  if (choice === 'time') return nextAt(date, now);
  return choice === 'evening' ? new Date(now).setHours(eveningHour, 0, 0, 0) : endOfDay(date).getTime();
}

/** The next time that a clock shows `time`. */
function nextAt(time: string, now: number): number {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number);
  const end = new Date(now);
  end.setHours(hours, minutes, 0, 0);
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}

/** The first full minute that is after both limits, if it is within a day. */
function firstTime(now: number, { least, after = Number.NEGATIVE_INFINITY }: EndLimits): number {
  const first = Math.ceil(Math.max(now + least, after + 1) / minuteMs) * minuteMs;
  return first < now + dayMs ? first : Number.NaN;
}

/** Whether it can have this end. */
export const isPossible = (
  end: number,
  now: number,
  { least, most, after = Number.NEGATIVE_INFINITY, latest = Number.POSITIVE_INFINITY }: EndLimits,
): boolean => end >= now + least && end <= Math.min(now + most, latest) && end > after;

/** As the server has it: null for no end. Undefined if it is not possible now. */
export function chosenEnd(chosen: ChosenEnd, now: number, within: EndLimits): string | null | undefined {
  if (chosen.choice === 'none') return null;
  const end = endOf(chosen, now);
  return isPossible(end, now, within) ? new Date(end).toISOString() : undefined;
}

const timeOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at));
/** The limits of a consent that is offered until `ends_at`, or without an end. `after`: it has that end now, and becomes longer. */
export const consentLimits = (ends_at: string | undefined, after?: string): EndLimits => ({
  least: lengths.quarter!,
  most: 366 * dayMs,
  after: timeOf(after),
  latest: timeOf(ends_at),
});

/** The end of the last day that is within these limits, if any is. */
function lastDay(now: number, { most, latest = Number.POSITIVE_INFINITY }: EndLimits): number {
  const limit = Math.min(now + most, latest);
  const end = new Date(limit);
  end.setHours(23, 59, 59, 999);
  if (end.getTime() > limit) end.setDate(end.getDate() - 1);
  return end.getTime();
}

/** The choices that are possible now, and `chosen`, which may have become impossible since. */
export const possibleChoices = (now: number, within: EndLimits, chosen?: ChosenEnd['choice']): EndChoice[] =>
  endChoices.filter((choice) => {
    if (choice === chosen) return true;
    if (choice === 'date') return isPossible(lastDay(now, within), now, within);
    return isPossible(choice === 'time' ? firstTime(now, within) : endOf({ choice, date: '' }, now), now, within);
  });

/** Whether there is an end that is possible now. */
export const hasPossibleEnd = (now: number, within: EndLimits): boolean => possibleChoices(now, within).length > 0;

/** The choice that is this end, or the last one before it. Without a day if there is none: then the user chooses it. */
export function choiceUntil(ends_at: string, now: number): ChosenEnd {
  const within = consentLimits(ends_at);
  const [end, day] = [Date.parse(ends_at), lastDay(now, within)];
  const time = { choice: 'time', date: new Date(end).toTimeString().slice(0, 5) } as const;
  const isWithinDay = end - now <= dayMs && isPossible(endOf(time, now), now, within);
  if (day !== end && isWithinDay) return time;
  return { choice: 'date', date: isPossible(day, now, within) ? dayOf(day) : '' };
}

/** What a form begins with: an hour, if that is possible now. */
export function firstEnd(now: number, within: EndLimits): ChosenEnd {
  const choices = possibleChoices(now, within);
  return { choice: choices.find((choice) => choice === 'hour') ?? choices[0] ?? 'date', date: '' };
}
