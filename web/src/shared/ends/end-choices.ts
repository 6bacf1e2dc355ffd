/** When a link or a consent ends. A consent may also have no end. */
import { endOfDay } from '../../data/server-clock.ts';

export const endChoices = ['hour', 'evening', 'day', 'week', 'date'] as const;
export type EndChoice = (typeof endChoices)[number];

/** `date`: as a date input has it, for the choice of that name. */
export interface ChosenEnd {
  choice: EndChoice | 'none';
  date: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** In days: the longest time of a link, and of a consent. */
export const longest = { link: 30, consent: 366 } as const;

/** Within these limits. `latest`: in ms. */
export interface EndLimits {
  days: number;
  latest?: number | undefined;
}

const eveningHour = 22;

const lengths: Partial<Record<ChosenEnd['choice'], number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs };

/** When it ends, in ms. NaN without a date. */
export function endOf({ choice, date }: ChosenEnd, now: number): number {
  const length = lengths[choice];
  if (length !== undefined) return now + length;
  return choice === 'evening' ? new Date(now).setHours(eveningHour, 0, 0, 0) : endOfDay(date).getTime();
}

/** Whether it can have this end: in an hour at the earliest, in so many days at the latest, and not after `latest`. */
export const isPossible = (end: number, now: number, { days, latest = Number.POSITIVE_INFINITY }: EndLimits): boolean =>
  end >= now + hourMs && end <= Math.min(now + days * dayMs, latest);

/** As the server has it: null for no end. Undefined if it is not possible now. */
export function chosenEnd(chosen: ChosenEnd, now: number, within: EndLimits): string | null | undefined {
  if (chosen.choice === 'none') return null;
  const end = endOf(chosen, now);
  return isPossible(end, now, within) ? new Date(end).toISOString() : undefined;
}

/** The limits of a consent that is offered until `ends_at`, or without an end. */
export const consentLimits = (ends_at: string | undefined): EndLimits => ({
  days: longest.consent,
  latest: ends_at === undefined ? undefined : Date.parse(ends_at),
});

/** The choices that are possible now. */
export const possibleChoices = (now: number, within: EndLimits): EndChoice[] =>
  endChoices.filter((choice) => choice === 'date' || isPossible(endOf({ choice, date: '' }, now), now, within));

/** Whether there is an end that is possible now. */
export const hasPossibleEnd = (now: number, within: EndLimits): boolean => isPossible(now + hourMs, now, within);
