/**
 * How far this machine's clock is from the server's. Ages are counted on the server's clock, because a wall display
 * with a wrong clock would otherwise show devices that change in the future.
 */
let offset = 0;

/** Takes the `date` header of an answer; whole seconds are all it has, so a difference under two means nothing. */
export function observeServerTime({ date, now }: { date: string; now: number }): void {
  const server = Date.parse(date);
  if (Number.isNaN(server)) return;
  offset = Math.abs(server - now) < 2000 ? 0 : server - now;
}

/** The time on the server's clock, in milliseconds since the epoch. */
export function serverNow(now: number = Date.now()): number {
  return now + offset;
}
