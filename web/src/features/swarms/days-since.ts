const day = 24 * 60 * 60_000;

/** Whole days since a time, on the server's clock. */
export function daysSince(at: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(at)) / day));
}
