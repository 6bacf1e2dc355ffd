import type { Resource } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import { onNewPage } from './new-page.ts';

/**
 * The difference between this machine's clock and the server's. Ages use the server's clock, because a wall display
 * with a wrong clock would otherwise show devices that change in the future.
 */
let offset = 0;
onNewPage(() => (offset = 0));

/** Reads the `date` header of a response. It has whole seconds, so a difference of less than two seconds is ignored. */
export function observeServerTime({ date, now }: { date: string; now: number }): void {
  const server = Date.parse(date);
  if (Number.isNaN(server)) return;
  offset = Math.abs(server - now) < 2000 ? 0 : server - now;
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
