/** When a link ends. A link that never ends is not offered. */
import { endOfDay } from '../../data/server-clock.ts';

export const endChoices = ['hour', 'evening', 'day', 'week', 'date'] as const;
export type EndChoice = (typeof endChoices)[number];

/** `date`: as a date input has it, for the choice of that name. */
export interface ChosenEnd {
  choice: EndChoice;
  date: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestMs = 30 * dayMs;
const eveningHour = 22;

const lengths: Partial<Record<EndChoice, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs };

/** When it ends, in ms. NaN without a date. */
export function endOf({ choice, date }: ChosenEnd, now: number): number {
  const length = lengths[choice];
  if (length !== undefined) return now + length;
  return choice === 'evening' ? new Date(now).setHours(eveningHour, 0, 0, 0) : endOfDay(date).getTime();
}

/** Whether a link can have this end: in an hour at the earliest, in 30 days at the latest, and not after `latest`. */
export const isPossible = (end: number, now: number, latest = Number.POSITIVE_INFINITY): boolean =>
  end >= now + hourMs && end <= Math.min(now + longestMs, latest);

/** The choices that are possible now. `latest`: of a link that is made shorter. */
export const possibleChoices = (now: number, latest?: number): EndChoice[] =>
  endChoices.filter((choice) => choice === 'date' || isPossible(endOf({ choice, date: '' }, now), now, latest));
