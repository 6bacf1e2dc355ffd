import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import type { Span } from '../../data/values/series.ts';
import type { Range } from '../../data/values/values.api.ts';
import { createPreference, usePreference } from '../../ui/preference.ts';
import { useClock } from '../../ui/time.tsx';
import { zoomed } from './zoom.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** In ms. */
const lengths = { day, hour, week: 7 * day, month: 30 * day, year: 365 * day };
export type RangeName = keyof typeof lengths;
export const rangeNames: readonly RangeName[] = ['hour', 'day', 'week', 'month', 'year'];
const preference = createPreference({ key: 'values_range', values: ['day', 'hour', 'week', 'month', 'year'] });

/** In ms, before the values of a new zoom are requested. */
const zoomRests = 400;

export type ChartRange = ReturnType<typeof useChartRange>;

/** The part of the time that charts show: a range that ends now, or what the user has zoomed to. `isShort`: at most a day. */
export function useChartRange({ isShort = false }: { isShort?: boolean } = {}) {
  const chosen = usePreference(preference);
  const name = isShort && chosen !== 'hour' ? 'day' : chosen;
  const length = lengths[name];
  const [zoom, setZoom] = useState<Span | null>(null);
  // Each step moves the lines by about a pixel.
  const now = useClock({ read: serverNow, everyMs: Math.min(60_000, Math.max(1000, length / 3600)) });
  const [from, to] = zoom ?? [now - length, now];
  const span = useMemo((): Span => [from, to], [from, to]);
  const settled = useSettled(zoom);
  const [settledFrom, settledTo] = settled ?? [];
  const range = useMemo(
    (): Range =>
      settledFrom === undefined || settledTo === undefined ? { length } : { span: [settledFrom, settledTo] },
    [length, settledFrom, settledTo],
  );
  return {
    name,
    choose(next: RangeName) {
      preference.set(next);
      setZoom(null);
    },
    now,
    /** What the charts show. */
    span: useDeferredValue(span),
    /** What is read for it. */
    range,
    isZoomed: zoom !== null,
    zoomTo: (next: Span | null) => setZoom(next && within(next, serverNow())),
    /** Around the middle. */
    zoomBy: (by: number) => setZoom(within(zoomed([from, to], { at: (from + to) / 2, by }), serverNow())),
  };
}

/** A zoom ends now at the latest, and shows a year at most. */
function within([from, to]: Span, now: number): Span {
  const length = Math.min(lengths.year, to - from);
  const end = Math.min(now, to);
  return [Math.round(end - length), Math.round(end)];
}

/** The zoom once it has been the same for a moment, so that a pinch does not request each of its steps. */
function useSettled(zoom: Span | null): Span | null {
  const [settled, setSettled] = useState(zoom);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(zoom), zoom ? zoomRests : 0);
    return () => clearTimeout(timer);
  }, [zoom]);
  return zoom && settled;
}
