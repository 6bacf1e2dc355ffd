import { useCallback, useRef, useState, type RefObject } from 'react';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { goTo, readMapView, useMapUrlView, type MapHandle, type SettledView } from '../../ui/urls/map-view-url.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { readUrl, useUrlState, type SetUrlState } from '../../ui/urls/url-state.ts';
import { wallUrl, type WallUrl } from './wall-layers.ts';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

const zoomed = 0.01;

/** Where the map of the wall is, and what covers it. */
export function useWallMap() {
  const [url, changeUrl] = useUrlState(wallUrl);
  const handle = useRef<MapHandle>(null);
  const seen = useRef<Bbox | null>(null);
  const [covered, setCovered] = useState({ top: 0, bottom: 0 });
  const { last, keepView, writeView } = useWriteViewToUrl({ url, setUrl: changeUrl, map: handle });
  const setUrl: SetUrlState<WallUrl> = (change, options) => {
    const { following } = readUrl(wallUrl);
    changeUrl(change, options);
    // At once: on a busy machine, an effect of the next render was not called.
    if (following && !readUrl(wallUrl).following) writeView();
  };
  return {
    handle,
    /** The part of the map in view. */
    seen,
    /** By the bar and the sheet of a phone, in px. */
    covered,
    ...useStableFunctions({
      /** The zoom of the map, 0 until it has settled. */
      zoomNow: () => last.current?.zoom ?? 0,
      onView(view: SettledView & { bbox: Bbox }) {
        seen.current = view.bbox;
        keepView(view);
      },
      setUrl,
    }),
    onCovered: useCallback((edge: 'top' | 'bottom', px: number) => setCovered((now) => ({ ...now, [edge]: px })), []),
  };
}

export type WallMap = ReturnType<typeof useWallMap>;

interface WriteViewToUrlOptions {
  url: WallUrl;
  setUrl: SetUrlState<WallUrl>;
  map: RefObject<MapHandle | null>;
}

/**
 * Writes a view that somebody chose to the URL. While the map follows a device, only a change of the zoom is written,
 * because the device determines the position. When following ends, the current view is written.
 */
function useWriteViewToUrl({ url: { map: text }, setUrl, map }: WriteViewToUrlOptions) {
  const leaveMapAt = useMapUrlView({
    text,
    write: (next) => setUrl({ map: next }),
    // A map that follows a device does not go to all.
    go(place) {
      if (place || !readUrl(wallUrl).following) goTo(map.current, place);
    },
  });
  const last = useRef<SettledView>(null);
  return {
    last,
    /** Call it with each view that has settled. */
    keepView(view: SettledView) {
      last.current = view;
      // The URL may have changed since the last render.
      const { following, map } = readUrl(wallUrl);
      const mapView = readMapView(map);
      if (following && mapView && Math.abs(mapView.zoom - view.zoom) < zoomed) return;
      leaveMapAt(view);
    },
    /** Call it when following has ended. */
    writeView() {
      if (last.current) leaveMapAt(last.current);
    },
  };
}
