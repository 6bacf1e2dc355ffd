const staleAfterDays = 14;

/** The time before which an open invitation was sent if it is stale. */
export function staleBefore(at: Date): string {
  return new Date(at.getTime() - staleAfterDays * 24 * 3600 * 1000).toISOString();
}
