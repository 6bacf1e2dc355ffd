import type { Resource } from '@swarmdeck/bff/contract';
import { dayMs, minuteMs } from '@swarmdeck/bff/durations';
import { onNewPage } from './new-page.ts';

/**
 * The difference between this machine's clock and the server's. Ages use the server's clock, because a wall display
 * with a wrong clock would otherwise show devices that change in the future.
 */
let offset = 0;
/** The answer that the difference is of, in ms by this machine's clock. */
let learnt = { took: Number.POSITIVE_INFINITY, at: 0 };
onNewPage(() => {
  offset = 0;
  learnt = { took: Number.POSITIVE_INFINITY, at: 0 };
});

/** In ms. So long, a slower answer says less than the quickest one. */
const learntFor = 5 * minuteMs;

interface Observed {
  /** The `date` header of a response, which has whole seconds. */
  date: string;
  /** When the request was sent, and when the head of the response was there, in ms by this machine's clock. */
  sent?: number;
  now: number;
}

/**
 * Learns the server's time from a response: it is of the middle between the request and the head. A difference of less than two
 * seconds is ignored. A slow answer counts if no quicker one was there in the last minutes, or if a clock has been set since.
 */
export function observeServerTime({ date, now, sent = now }: Observed): void {
  const server = Date.parse(date);
  if (Number.isNaN(server)) return;
  const took = now - sent;
  const measured = server - (sent + now) / 2;
  const isSure = took <= learnt.took || now - learnt.at > learntFor || now < learnt.at;
  const isOfOtherClock = Math.abs(measured - offset) > (took + learnt.took) / 2 + 2000;
  if (!isSure && !isOfOtherClock) return;
  learnt = { took, at: now };
  offset = Math.abs(measured) < 2000 ? 0 : measured;
}

/** A time of this machine's clock as the server's clock has it, both in milliseconds since the epoch. */
export const serverTime = (local: number): number => local + offset;

/** The time on the server's clock, in milliseconds since the epoch. */
export const serverNow = (): number => serverTime(Date.now());

/** The time of the last change of the device, by the server's clock. */
export const changedAt = ({ modified_at, created_at }: Resource) => modified_at ?? created_at;

/** Whole days since a time, on the server's clock. */
export function daysSince(at: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(at)) / dayMs));
}

/** The last moment of a local day, as a date input has it. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:59.999`);

/** The local day of a time, as a date input has it. */
export const dayOf = (at: number) => {
  const date = new Date(at);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
};
