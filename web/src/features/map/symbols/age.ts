/** The labelled ages of the legend's scale, in ms: now, a minute, an hour, a day. */
const labelledAges = [0, 60_000, 3_600_000, 86_400_000];
const STEPS_BETWEEN = 6;
export const OLDEST = (labelledAges.length - 1) * STEPS_BETWEEN;

/** The step of an age: 0 is just now, OLDEST a day ago or more. `now` is the server's clock. */
export function ageStep({ changed_at, now }: { changed_at: string; now: number }): number {
  const age = now - Date.parse(changed_at);
  const next = labelledAges.findIndex((labelled) => age < labelled);
  if (next === 0) return 0;
  const [from, to] = [labelledAges[next - 1], labelledAges[next]];
  if (from === undefined || to === undefined) return OLDEST;
  // Linear within the first minute, then logarithmic.
  const part = from === 0 ? age / to : Math.log(age / from) / Math.log(to / from);
  return Math.floor((next - 1 + part) * STEPS_BETWEEN);
}

/** From the accent colour for new to grey for old. */
export function ageColour({
  colours,
  ...time
}: {
  changed_at: string;
  now: number;
  colours: { accent: string; field: string };
}): string {
  const step = ageStep(time);
  return `color-mix(in srgb, ${colours.field} ${Math.round((100 * step) / OLDEST)}%, ${colours.accent})`;
}
