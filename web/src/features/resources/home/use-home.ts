import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { Device, Position, Resource, DeviceFilters } from '@swarmdeck/bff/contract';
import { useNavigate } from 'react-router';
import type { Draft } from '../../../data/forms/device-fields.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { roundPosition, t } from '../../../text/text.ts';
import { useKeys } from '../../../ui/keys-provider.tsx';
import type { Stop } from '../../../ui/sheet.tsx';
import { isPinned } from '../../../ui/media.ts';
import { isInside, useMapUrlView, type Insets, type MapHandle, type MapUrlView } from '../../../ui/map-view-url.ts';
import { useHiddenSelection } from '../../../ui/use-hidden-selection.ts';
import { useNavigationRequest } from '../../../ui/use-navigation-request.ts';
import { readUrl, useUrlState } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import {
  filtersOn,
  homeUrl,
  listAudience,
  listBbox,
  removeAllFilters,
  withFilter,
  type Filters,
} from '../device-filters.ts';
import { useDeviceList, type DeviceList } from './use-device-list.ts';
import { useDeviceSelection } from './use-device-selection.ts';
import { usePlacing } from './use-placing.ts';
import { useSortPoint } from './use-sort-point.ts';
import { useQuery } from '@tanstack/react-query';
import { deviceRowQuery, isListed, type ListStart } from '../resources.api.ts';

/** The minimum zoom when the map moves to a selected device, because it could not be found on a map of the world. */
const nearestLook = 5;

/** Whether a list was loaded around a device that it may not contain. */
function isAround(start: ListStart, id: string): boolean {
  return start !== null && 'around' in start && start.around === id;
}

/** The state of the home screen and what it does; device-home.tsx renders it. */
export function useHome() {
  const [url, setUrl] = useUrlState(homeUrl);
  const navigate = useNavigate();
  const [view, setView] = useState<(MapUrlView & { bbox: Bbox }) | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [stop, setStop] = useState<Stop>(url.selected === null ? 'half' : 'card');
  /** The values that the Add dialog starts with; null while it is closed. */
  const [adding, setAdding] = useState<Partial<Draft> | null>(null);
  const [destroying, setDestroying] = useState<Device | null>(null);
  const [exporting, setExporting] = useState<{ filters: Filters; bbox: Bbox | null } | null>(null);
  const mapHandle = useRef<MapHandle>(null);
  const rows = useRef<VirtualListHandle>(null);
  const search = useRef<HTMLInputElement>(null);

  const leaveMapAt = useMapUrlView({
    text: url.map,
    write: (map) => setUrl({ map }),
    go: ({ lat, lng, zoom }) => mapHandle.current?.flyTo({ latitude: lat, longitude: lng }, zoom),
  });
  const sortPoint = useSortPoint({ sort: url.sort, setSort: (sort) => setUrl({ sort }) });
  const bbox = listBbox({ state: url, view: view?.bbox ?? null });
  const list = useDeviceList({
    filters: url.filters,
    // Until the location is known, by name.
    sort: url.sort === 'near' && sortPoint.from === null ? 'name' : url.sort,
    near: sortPoint.from,
    bbox,
    waiting: url.in_view && view === null,
    shown: url.selected,
  });
  const selection = useDeviceSelection({ list, filters: url.filters, bbox });
  const selected = useSelectedDevice({ list, id: url.selected });

  // The stop of the sheet before the card opened, which is restored when the card closes.
  const listStop = useRef<Stop>('half');
  const showCard = () => {
    if (stop !== 'card' || url.selected === null) listStop.current = stop;
    setStop('card');
  };
  const select = (id: string | null) => {
    setUrl({ selected: id });
    if (id === null) setStop(listStop.current);
    else showCard();
  };
  const lookAt = ({ position }: { position?: Position | undefined }) => {
    if (!position || (view && view.zoom >= nearestLook && isInside(view.bbox, position))) return;
    mapHandle.current?.flyTo(position, Math.max(view?.zoom ?? 0, nearestLook));
  };
  const open = ({ id }: Device, focus?: 'name') => {
    setUrl({ selected: id });
    void navigate(`/devices/${id}`, { state: { home: globalThis.location.search, focus } });
  };
  /** Scrolls to a device's row, or waits until it is loaded. */
  const reveal = (id: string) => {
    list.scroll.loadAround(id);
    rows.current?.reveal(id);
  };
  const placing = usePlacing({
    onDraftPlaced: (at) => {
      setAdding(at ? { latitude: String(at.latitude), longitude: String(at.longitude) } : {});
    },
    onPlaced: (id, position) => {
      select(id);
      lookAt({ position });
    },
  });
  const commands = {
    select: (device: Device) => {
      select(device.id);
      // after the phone's sheet has uncovered the map
      setTimeout(() => lookAt(device));
    },
    open,
    edit: (device: Device) => open(device, 'name'),
    place: (device: Device) => {
      placing.startWith(device);
      showCard();
      if (device.position && isPinned()) mapHandle.current?.flyTo(device.position);
    },
    destroy: setDestroying,
    close: () => {
      select(null);
      // On a phone the rows can get the focus only after the card has closed.
      setTimeout(() => rows.current?.focus());
    },
    hover: setHovered,
    beside: ({ id }: Device) => {
      const place = list.rows.indexOf(id);
      const to = (index: number) => {
        const device = place < 0 || index < 0 ? undefined : list.rows.at(index);
        return device && (() => commands.select(device));
      };
      return { next: to(place + 1), previous: to(place - 1) };
    },
  };
  const addWith = (fill: Partial<Draft>) => {
    setAdding(fill);
  };
  const add = () => addWith({});
  const switchAudience = () => {
    const audience = url.filters.audience ? undefined : 'visible';
    listAudience.set(audience ?? 'own');
    selection.clear();
    setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', audience) }));
  };
  useNavigationRequest<string>('add', (name) => addWith(name ? { name } : {}));
  const exportList = () => {
    // Only own devices are exported.
    if (url.filters.audience) switchAudience();
    setExporting({ filters: withFilter(url.filters, 'audience', undefined), bbox });
  };
  useNavigationRequest<true>('export', exportList);
  useNavigationRequest<Device>('place', commands.place);
  const searchNow = () => {
    setStop('list');
    // On a phone the field is rendered only at this stop.
    setTimeout(() => search.current?.focus());
  };
  const clearWhenNothingMatches = () => {
    const nothing = filtersOn(url).length > 0 && list.total === 0;
    if (nothing) setUrl(removeAllFilters);
    return nothing;
  };
  const step = useRowSteps({
    list,
    selected: url.selected,
    onSelect(device) {
      commands.select(device);
      // Enter then opens the row that J selected instead of pressing the focused chip.
      rows.current?.focus(device.id);
    },
  });
  useKeys('devices', {
    '/': searchNow,
    c: add,
    j: () => step(1),
    k: () => step(-1),
    m: () => mapHandle.current?.focus(),
    l: () => rows.current?.focus(),
    f: () => mapHandle.current?.fit(),
    x: ({ shiftKey }) => {
      if (url.filters.audience) return;
      const id = rows.current?.focused() ?? url.selected;
      if (id !== null) selection.toggle(id, shiftKey);
    },
    Escape: () => {
      if (placing.placing) placing.cancel();
      else if (selection.isActive) selection.clear();
      else if (!clearWhenNothingMatches() && url.selected !== null) select(null);
    },
  });
  useKeys('selected_device', selected ? { Enter: () => open(selected), e: () => commands.edit(selected) } : null);

  useHiddenSelection({
    codec: homeUrl,
    url,
    isLoading: list.changing,
    isListed: async (id) => list.rows.get(id) !== undefined || isListed({ filters: url.filters, id }),
    deselect: () => select(null),
  });

  // After opening a link, or on returning from the page of a device.
  const loaded = list.rows.length > 0;
  const revealSelected = useEffectEvent(() => url.selected !== null && reveal(url.selected));
  useEffect(() => {
    if (loaded) revealSelected();
  }, [loaded]);

  return {
    url,
    setUrl,
    list,
    sortPoint,
    selected,
    selection,
    view,
    hovered,
    stop,
    setStop,
    placing,
    commands,
    handles: { map: mapHandle, rows, search },
    search: searchNow,
    clearWhenNothingMatches,
    add,
    propose(at: Position | null) {
      if (isPinned()) return at && mapHandle.current?.flyTo(at);
      placing.propose(at);
      if (at) lookAt({ position: at });
      return undefined;
    },
    exportList,
    switchAudience,
    /** What they start with; null while they are closed. */
    dialogs: {
      adding,
      stopAdding: () => setAdding(null),
      added(device: Resource) {
        setAdding(null);
        select(device.id);
        lookAt(device);
      },
      /**
       * Closes the dialog while the user chooses the position on the map, and opens it again with that position. `at` is
       * its current position.
       */
      placeDraft({ name, machine_type }: Draft, at: Position | null) {
        setAdding(null);
        showCard();
        placing.start({
          id: '',
          name: name || t.devices.new_device,
          machine_type: machine_type ?? 'pc',
          before: null,
          proposed: isPinned() ? null : at,
        });
        if (at) mapHandle.current?.flyTo(at);
      },
      exporting,
      stopExporting: () => setExporting(null),
      destroying,
      stopDestroying: () => setDestroying(null),
      destroyed() {
        setDestroying(null);
        commands.close();
      },
    },
    onMap: {
      onSelect(id: string | null) {
        select(id);
        if (id !== null) reveal(id);
      },
      onHover: setHovered,
      /** A box was drawn with Shift and the mouse. */
      onBox: (box: Bbox) => !url.filters.audience && selection.selectWithin(box),
      onView(next: MapUrlView & { bbox: Bbox }) {
        setView(next);
        leaveMapAt(next);
      },
      onOpenStack(stack: Bbox) {
        setUrl({ stack });
        setStop('half');
      },
      /** The next click gives the position of this device. */
      placing: placing.placing && {
        name: placing.placing.name,
        onPlace(at: Position, isKey: boolean) {
          if (isPinned()) mapHandle.current?.flyTo(at, view?.zoom);
          else placing.propose(roundPosition(at));
          // Enter then confirms.
          if (isKey) document.querySelector<HTMLElement>('.place-notice [type="submit"]')?.focus();
        },
        onCancel: placing.cancel,
      },
    },
  };
}

export type Home = ReturnType<typeof useHome>;

/** The map's interface for the home page. The route passes the map. */
export type HomeMap = Home['onMap'] & {
  filters: DeviceFilters;
  selected: Pick<Device, 'id' | 'name' | 'machine_type' | 'position' | 'accuracy'> | null;
  hoveredId: string | null;
  insets: Insets;
  initialView: MapUrlView | null;
  handle: RefObject<MapHandle | null>;
};

/** Selects the row beside the selected one. If that is not loaded, it does so when it is. */
function useRowSteps(options: {
  list: Pick<DeviceList, 'rows' | 'scroll'>;
  selected: string | null;
  onSelect(device: Device): void;
}): (by: 1 | -1) => void {
  const { list, selected, onSelect } = options;
  const pending = useRef<{ id: string; by: 1 | -1 }>(null);
  const selectBeside = (id: string, by: 1 | -1) => {
    const next = list.rows.at(list.rows.indexOf(id) + by);
    if (next) onSelect(next);
  };
  const stepNow = useEffectEvent((loaded: DeviceList['rows']) => {
    const { id, by } = pending.current ?? {};
    if (id === undefined || by === undefined || !loaded.get(id)) return;
    pending.current = null;
    if (id === selected) selectBeside(id, by);
  });
  useEffect(() => stepNow(list.rows), [list.rows]);

  return (by) => {
    const id = readUrl(homeUrl).selected;
    if (id !== null && list.rows.get(id)) selectBeside(id, by);
    else if (id === null || isAround(list.scroll.start, id)) selectBeside('', 1);
    else {
      pending.current = { id, by };
      list.scroll.loadAround(id);
    }
  };
}

/**
 * The selected device: initially from the list if that contains it, then from its own query, because a filtered list is
 * not updated for a device that no longer matches. Undefined while it loads, null if it does not exist.
 */
function useSelectedDevice({ list, id }: { list: DeviceList; id: string | null }): Device | null | undefined {
  const fetched = useQuery({ ...deviceRowQuery(id ?? ''), enabled: id !== null }).data;
  if (id === null) return null;
  const row = list.device(id);
  return fetched === null || (fetched && !(row && row.changed_at > fetched.changed_at)) ? fetched : row;
}
