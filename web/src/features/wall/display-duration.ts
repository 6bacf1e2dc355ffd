interface Duration {
  days: number;
  hours: number;
  minutes: number;
}

/** A duration in its two largest units; null if it is less than a minute. */
export function durationOf(ms: number): Duration | null {
  const totalMinutes = Math.floor(ms / 60_000);
  if (totalMinutes < 1) return null;
  const days = Math.floor(totalMinutes / 1440);
  return { days, hours: Math.floor(totalMinutes / 60) % 24, minutes: days > 0 ? 0 : totalMinutes % 60 };
}
