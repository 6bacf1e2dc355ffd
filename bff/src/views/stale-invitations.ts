const staleAfterDays = 14;

/** An open invitation that was sent before is stale: whoever sent it may want to send it again. */
export function staleBefore(at: Date): string {
  return new Date(at.getTime() - staleAfterDays * 24 * 3600 * 1000).toISOString();
}
