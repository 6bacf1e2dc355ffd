import { useMemo } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { cssLength } from '../../ui/browser/css-length.ts';
import { insetsOf, readMapView, type Insets } from '../../ui/urls/map-view-url.ts';
import { atTextSize, low as lowQuery, phone as phoneQuery, useMedia } from '../../ui/browser/media.ts';
import { useClock } from '../../ui/texts/time.tsx';
import { useHoveredId } from '../../ui/lists/use-hover.ts';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import { type Bbox } from './use-wall-map.ts';
import { selection } from './wall-layers.ts';

/** The colours of the ages are updated this often, in ms. */
const agesInterval = 2000;

/** The devices on the map of the wall, and how they are drawn. */
export function useWallSymbols() {
  const { audience } = useWall('place');
  const [{ colour, value }] = useWallUrl();
  const { filters } = useWall('counts');
  const { device } = useWall('device');
  const { search } = useWall('list');
  const now = useClock({ read: serverNow, everyMs: colour === 'heard' ? agesInterval : null });
  return {
    filters: useMemo(() => filters ?? { audience }, [filters, audience]),
    /** The search of the list, which does not filter the map. */
    search: filters ? search : '',
    hidden: filters === null,
    selected: device ?? null,
    hoveredId: useHoveredId(useWall('hover')),
    look: {
      names: true,
      /** Null: by machine type. */
      colourAt: colour === 'heard' ? now : null,
      valueKey: value.values?.[0] ?? null,
      byValue: colour === 'value',
    },
  };
}

/** Where the map of the wall is, and what covers it. */
export function useWallMapView() {
  const [{ map }] = useWallUrl();
  const { handle, onView } = useWall('map');
  return { handle, onView, initialView: readMapView(map), insets: useInsets(), keptFree: useAlertRoom() };
}

/** The position that the map follows, and the track of the selected device. */
export function useFollowedDevice() {
  const [{ following }, setUrl] = useWallUrl();
  const { device, track } = useWall('device');
  return {
    // It stays where the device was while a past point is chosen.
    follow: (following && (track?.chosen ?? null) === null && device?.position) || null,
    onFollowEnd: () => setUrl({ following: false }),
    track,
  };
}

/** What the pointer and the keys do on the map of the wall. */
export function useWallMapInput() {
  const [, setUrl] = useWallUrl();
  const { step } = useWall('device');
  return {
    onSelect: (id: string | null) => setUrl(selection(id)),
    onHover: useWall('hover').set,
    // Each click selects the next device at this place.
    onOpenStack: (bbox: Bbox) => step(1, bbox, true),
  };
}

/**
 * Where the alert is when there is one (wall-live.css), at its largest: below the bar of a phone, above the credits of a desk. A desk has
 * buttons at its top.
 */
function useAlertRoom() {
  return useMedia(phoneQuery) ? { top: 12 + atTextSize(72), bottom: 0 } : { top: 60, bottom: 48 + atTextSize(77) };
}

/** What covers the map: the panel on a desk, the bar and the sheet on a phone. The style sheets have the widths. */
function useInsets(): Insets {
  const isPhone = useMedia(phoneQuery);
  const isLow = useMedia(lowQuery);
  const hasList = useWall('list').isOpen;
  const { top, bottom } = useWall('map').covered;
  return useMemo(() => {
    const margin = cssLength('--s4');
    const start = cssLength('--wall-panel-width') + 2 * (isLow ? cssLength('--s2') : margin);
    const end = hasList ? cssLength('--wall-list-width') + margin : 0;
    return insetsOf(isPhone ? { top, bottom } : { start, end });
  }, [isPhone, top, bottom, isLow, hasList]);
}
