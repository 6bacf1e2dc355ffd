import { useMemo, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type { Device, DeviceFilters, Position } from '@swarmdeck/bff/contract';
import type { Bbox, ValueFilter } from '../../../data/filter-params.ts';
import { insetsOf, readMapView, type Insets, type MapHandle, type MapUrlView } from '../../../ui/map-view-url.ts';
import { landscape, low, phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useDeviceSelection } from './use-device-selection.ts';
import { useHomeMap, type HomeView } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useHomeSheet } from './use-home-sheet.ts';
import { useHomeStart } from './use-home-start.ts';
import { useHover, useHoveredId } from '../../../ui/use-hover.ts';
import { useSelectedDevice } from './use-selected-device.ts';

/** The map's interface for the home page. */
interface HomeMapProps {
  filters: DeviceFilters & Pick<ValueFilter, 'values'>;
  /** The value that symbols show. */
  valueKey: string | null;
  /** They are coloured by it. */
  byValue: boolean;
  selected: Pick<Device, 'id' | 'name' | 'machine_type' | 'position' | 'accuracy'> | null;
  hoveredId: string | null;
  insets: Insets;
  initialView: MapUrlView | null;
  handle: RefObject<MapHandle | null>;
  onSelect(id: string | null): void;
  onHover(id: string | null): void;
  /** A box was drawn with Shift and the mouse. */
  onBox(box: Bbox): void;
  onView(view: HomeView): void;
  onOpenStack(stack: Bbox): void;
  /** The next click gives the position of this device. */
  placing: { name: string; onPlace(at: Position, isKey: boolean): void; onCancel(): void } | null;
}

/** What the map of the home page shows, and what it does. */
export function useHomeMapProps(): HomeMapProps {
  const [url, setUrl] = useUrlState(homeUrl);
  const { handle, onView } = useHomeMap();
  const { setStop } = useHomeSheet();
  const selection = useDeviceSelection();
  const { device, showOnMap } = useSelectedDevice();
  const { placing, proposeOnMap, cancel } = useHomePlacing();
  const { isWatching } = useHomeStart();
  const navigate = useNavigate();
  const { filters } = url;
  return {
    filters: useMemo(() => ({ audience: isWatching ? 'visible' : 'own', ...filters }), [isWatching, filters]),
    valueKey: filters.values?.[0] ?? null,
    byValue: url.byValue,
    // The marker of a proposed position has an unused id, so that the symbol of the device stays in place.
    selected: placing?.proposed ? { ...placing, id: 'proposed', position: placing.proposed } : (device ?? null),
    hoveredId: useHoveredId(),
    insets: useInsets(),
    initialView: readMapView(url.map),
    handle,
    // The devices that a user without a list sees have no card.
    onSelect: isWatching ? (id) => id !== null && void navigate(`/devices/${id}`) : showOnMap,
    onHover: useHover().set,
    onBox: (box) => !filters.audience && selection.selectWithin(box),
    onView,
    onOpenStack(stack) {
      setUrl({ stack });
      setStop('half');
    },
    placing: placing && { name: placing.name, onPlace: proposeOnMap, onCancel: cancel },
  };
}

/**
 * The width of the panel with its margins, in px; there is none while the first device is placed, and while any is in
 * landscape. A phone has a sheet.
 */
const panelWidth = 432;
/** The width of the card or of the notice of a device that is placed, in landscape (device-home.css, place-notice.css). */
const noticeWidth = 336;
/** The same for the start panel, which is shown while there are no devices. */
const startWidth = 648;
/** The height of the search field over a phone's map, with its margin (rail.css). On a low map it is only an icon. */
const jumpHeight = 56;

/** What covers the map: the panel on a desk, the sheet and the search field on a phone. */
function useInsets(): Insets {
  const isPhone = useMedia(phoneQuery);
  const isLow = useMedia(low);
  const { height: sheet } = useHomeSheet();
  const { hasNone, isStarting } = useHomeStart();
  const isLandscape = useMedia(landscape);
  const isPlacing = useHomePlacing().placing !== null;
  const hasCard = useSelectedDevice().id !== null;
  const isLowPlacing = isPlacing && isLow;
  const list = hasCard && isLandscape ? noticeWidth : panelWidth;
  const panel = isStarting ? startWidth : hasNone || isLowPlacing ? 0 : list;
  const notice = isLowPlacing ? noticeWidth : 0;
  const jump = isLow ? 0 : jumpHeight;
  return useMemo(
    () => insetsOf(isPhone ? { top: jump, bottom: sheet } : { start: panel, end: notice }),
    [isPhone, jump, sheet, panel, notice],
  );
}
