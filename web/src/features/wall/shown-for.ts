interface ShownFor {
  days: number;
  hours: number;
  minutes: number;
}

/** A duration in its two largest units; null if it is less than a minute. */
export function shownFor(ms: number): ShownFor | null {
  const whole = Math.floor(ms / 60_000);
  if (whole < 1) return null;
  const days = Math.floor(whole / 1440);
  return { days, hours: Math.floor(whole / 60) % 24, minutes: days > 0 ? 0 : whole % 60 };
}
