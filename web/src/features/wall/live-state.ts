export interface LiveState {
  state: 'starting' | 'live' | 'lost';
  /** Since when the connection is lost, in ms of the local clock. */
  since: number;
}

/**
 * Counts arrive every few seconds. Without them for this many ms, the server is away, even if the stream looks open.
 */
const silenceLimit = 12_000;

/** The connection status of a wall. A broken connection may not close the stream, so missing responses count too. */
export function liveStateOf({
  live,
  disconnectedAt,
  answeredAt,
  visibleSince,
  away,
  now,
}: {
  /** The status of the event stream. */
  live: boolean;
  disconnectedAt: number | null;
  /** The time of the last response with counts; 0 if there was none. */
  answeredAt: number;
  /** The time since when the page is visible. It does not fetch while it is hidden. */
  visibleSince: number;
  /** The last request for counts got no response. */
  away: boolean;
  now: number;
}): LiveState {
  if (!live && disconnectedAt !== null) return { state: 'lost', since: disconnectedAt };
  if (answeredAt > 0 && (away || now - Math.max(answeredAt, visibleSince) > silenceLimit)) {
    return { state: 'lost', since: answeredAt };
  }
  return { state: live ? 'live' : 'starting', since: 0 };
}
