import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import type { Bbox, ValueFilter } from '../../../data/filter-params.ts';
import { cssLength } from '../../../ui/browser/css-length.ts';
import { insetsOf, readMapView, type Insets } from '../../../ui/urls/map-view-url.ts';
import { landscape, low, phone as phoneQuery, useMedia } from '../../../ui/browser/media.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useHome } from './home-state.ts';
import { useHoveredId } from '../../../ui/lists/use-hover.ts';

/** The devices on the map of the home page, and how they are drawn. */
export function useHomeSymbols() {
  const [{ filters, byValue }] = useUrlState(homeUrl);
  const { device } = useHome('selected');
  const { placing } = useHome('placing');
  const { isWatching } = useHome('start');
  return {
    filters: useMemo<DeviceFilters & ValueFilter>(
      () => ({ audience: isWatching ? 'visible' : 'own', ...filters }),
      [isWatching, filters],
    ),
    look: { valueKey: filters.values?.[0] ?? null, byValue },
    // The marker of a proposed position has an unused id, so that the symbol of the device stays in place.
    selected: placing?.proposed ? { ...placing, id: 'proposed', position: placing.proposed } : (device ?? null),
    hoveredId: useHoveredId(useHome('hover')),
  };
}

/** Where the map of the home page is, and what covers it. */
export function useHomeMapView() {
  const [{ map }] = useUrlState(homeUrl);
  const { handle, onView } = useHome('map');
  return { handle, onView, initialView: readMapView(map), insets: useInsets() };
}

/** What the pointer and the keys do on the map of the home page. */
export function useHomeMapInput() {
  const [, setUrl] = useUrlState(homeUrl);
  const { setStop } = useHome('sheet');
  const { checked, check } = useHome('selection');
  const { showOnMap } = useHome('selected');
  const { placing, proposeOnMap, cancel } = useHome('placing');
  const { isWatching } = useHome('start');
  const navigate = useNavigate();
  return {
    // The devices that a user without a list sees have no card.
    onSelect: isWatching ? (id: string | null) => id !== null && void navigate(`/devices/${id}`) : showOnMap,
    onHover: useHome('hover').set,
    /** A box was drawn with Shift and the mouse. */
    onBox: (box: Bbox) => checked.isPossible && check.within(box),
    onOpenStack(stack: Bbox) {
      setUrl({ stack });
      setStop('half');
    },
    /** The next click gives the position of this device. */
    placing: placing && { name: placing.name, onPlace: proposeOnMap, onCancel: cancel },
  };
}

/** What covers a side of the map, with its margins. The style sheets have the widths. */
const covers = {
  panel: () => cssLength('--panel-width') + 2 * cssLength('--s4'),
  /** The card or the notice of a device that is placed, in landscape. */
  notice: () => cssLength('--narrow-card-width') + cssLength('--s4'),
  start: () => cssLength('--start-width') + 2 * cssLength('--s5'),
  /** The search field over a phone's map. */
  search: () => cssLength('--jump-height') + cssLength('--s3'),
  nothing: () => 0,
};

/** What covers the map: the panel on a desk, the sheet and the search field on a phone. */
function useInsets(): Insets {
  const isPhone = useMedia(phoneQuery);
  const isLow = useMedia(low);
  const { height: sheet } = useHome('sheet');
  const { hasNone, isStarting } = useHome('start');
  const isLandscape = useMedia(landscape);
  const { placing } = useHome('placing');
  const hasCard = useHome('selected').id !== null;
  const isLowPlacing = placing && isLow;
  const list = hasCard && isLandscape ? 'notice' : 'panel';
  const start = isStarting ? 'start' : hasNone || isLowPlacing ? 'nothing' : list;
  const end = isLowPlacing ? 'notice' : 'nothing';
  // On a low map, the search field is only an icon.
  const top = isLow ? 'nothing' : 'search';
  return useMemo(
    () => insetsOf(isPhone ? { top: covers[top](), bottom: sheet } : { start: covers[start](), end: covers[end]() }),
    [isPhone, top, sheet, start, end],
  );
}
