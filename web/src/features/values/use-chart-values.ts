import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { withNewer, type Series, type Span } from '../../data/values/series.ts';
import type { Range, ValuesQuery } from '../../data/values/values.api.ts';
import { createPreference, usePreference } from '../../ui/browser/preference.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { useClock } from '../../ui/texts/time.tsx';
import { extentOf, fittingRange, lengths, startOf, type RangeName } from './fitting-range.ts';

const preference = createPreference({ key: 'values_range', values: ['day', 'hour', 'week', 'month', 'year'] });

/** In ms, before the values of a new zoom are requested. */
const zoomRests = 400;
/** In ms. A pixel of an hour is some seconds: more often, nothing new would be seen. */
const liveEveryMs = 500;

/** Has one key for each range, so that each is read once. */
type QueryOf = (range: Range) => ValuesQuery;

interface ChartRangeOptions {
  queryOf: QueryOf;
  /** What the stream has brought meanwhile. */
  live: readonly Series[] | undefined;
  /** At most a day. */
  isShort?: boolean;
}

export type ChartRange = ReturnType<typeof useChartValues>['range'];

/**
 * The part of the time that charts show, and the values in it: a range that ends now, or what the user has zoomed to. Until the user chooses one,
 * it is the shortest that has all values of the last chosen one, or of a year if that has none.
 */
export function useChartValues({ queryOf, isShort = false, ...options }: ChartRangeOptions) {
  const live = useThrottled(options.live, liveEveryMs);
  const preferred = usePreference(preference);
  const longest = isShort && preferred !== 'hour' ? 'day' : preferred;
  const [picked, setPicked] = useState<RangeName | null>(null);
  const [zoom, setZoom] = useState<Span | null>(null);
  const first = useFirstValues({ queryOf, longest, isShort, isNeeded: picked === null });
  const extent = useMemo(() => extentOf(first.series ?? []) ?? extentOf(live ?? []), [first.series, live]);
  const name = picked ?? fittingRange({ extent, longest, now: serverNow() });
  const length = lengths[name];

  const settled = useSettled(zoom);
  const [settledFrom, settledTo] = settled ?? [];
  const range = useMemo(
    (): Range =>
      settledFrom === undefined || settledTo === undefined ? { length } : { span: [settledFrom, settledTo] },
    [length, settledFrom, settledTo],
  );
  const read = useQuery(queryOf(range));
  const series = useMemo(() => read.data && withNewer(read.data.series, live ?? [], read.data.end), [read.data, live]);

  // Each step moves the lines by about a pixel.
  const clock = useClock({ read: serverNow, everyMs: Math.min(60_000, Math.max(1000, length / 3600)) });
  // A new value is shown at once.
  const now = Math.max(clock, extentOf(series ?? [])?.[1] ?? 0);
  const from = zoom?.[0] ?? startOf({ extent: picked === null ? extent : undefined, now, length });
  const to = zoom?.[1] ?? now;
  // Together, so that they are drawn once.
  const view = useMemo(
    (): { series: typeof series; span: Span; now: number } => ({ series, span: [from, to], now }),
    [series, from, to, now],
  );
  // While values are live, each chart is rendered by itself, and no frame waits for all of them.
  const shown = useDeferredValue(view);
  const { zoomTo } = useStableFunctions({
    // After slow answers the server's clock seems to be behind its newest values.
    zoomTo: (next: Span | null) => setZoom(next && within(next, Math.max(now, serverNow()))),
  });
  return {
    /** The part of the time, and choosing another one. */
    range: {
      /** Empty if another part of the time is shown. */
      name: zoom === null && from === to - length ? name : ('' as const),
      choose(next: RangeName) {
        preference.set(next);
        setPicked(next);
        setZoom(null);
      },
      now: shown.now,
      /** What the charts show. */
      span: shown.span,
      isZoomed: zoom !== null,
      zoomTo,
    },
    /** Undefined until they are read. */
    series: shown.series,
    read,
    /** What says whether there are any values. */
    first: first.read,
    /** There may be values in another range. */
    isChosen: picked !== null || zoom !== null || extent !== undefined,
  };
}

/** The values of the longest range that the user may want first; those of a year if it has none. */
function useFirstValues(options: { queryOf: QueryOf; longest: RangeName; isShort: boolean; isNeeded: boolean }) {
  const { queryOf, longest, isShort, isNeeded } = options;
  const preferred = queryOf({ length: lengths[longest] });
  const first = useQuery({ ...preferred, enabled: isNeeded && preferred.enabled !== false });
  const isEmpty = first.data?.series.length === 0 && !isShort && longest !== 'year';
  const year = useQuery({ ...queryOf({ length: lengths.year }), enabled: isNeeded && isEmpty });
  const read = isEmpty ? year : first;
  return { series: read.data?.series, read };
}

/** A zoom ends now at the latest, and shows a year at most. */
function within([from, to]: Span, now: number): Span {
  const length = Math.min(lengths.year, to - from);
  const end = Math.min(now, to);
  return [Math.round(end - length), Math.round(end)];
}

/** The value, which changes at most once in `everyMs`, and after a rest at once. */
function useThrottled<Value>(value: Value, everyMs: number): Value {
  const [shown, setShown] = useState(value);
  const nextAt = useRef(0);
  useEffect(() => {
    const show = () => {
      nextAt.current = performance.now() + everyMs;
      setShown(value);
    };
    const wait = nextAt.current - performance.now();
    if (wait <= 0) {
      show();
      return undefined;
    }
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return shown;
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
