export interface LiveState {
  state: 'starting' | 'live' | 'lost';
  /** Lost: since when, in ms of this machine's clock. */
  since: number;
}

/** Counts arrive every few seconds. Without them for this many ms, the server is away, even if the stream looks open. */
const silent = 12_000;

/** Whether a wall shows what is so. A line that was cut says nothing of it; that no answer comes does. */
export function liveStateOf({
  live,
  lostAt,
  answeredAt,
  seenAt,
  away,
  now,
}: {
  /** What the stream of news says of itself. */
  live: boolean;
  lostAt: number | null;
  /** When the counts came last; 0: not yet. */
  answeredAt: number;
  /** Since when the page is in sight: hidden, it asks nothing. */
  seenAt: number;
  /** The counts were asked for, and nobody answered. */
  away: boolean;
  now: number;
}): LiveState {
  if (!live && lostAt !== null) return { state: 'lost', since: lostAt };
  if (answeredAt > 0 && (away || now - Math.max(answeredAt, seenAt) > silent)) {
    return { state: 'lost', since: answeredAt };
  }
  return { state: live ? 'live' : 'starting', since: 0 };
}
