import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, useSyncExternalStore, type RefObject, type ReactNode } from 'react';
import type { Device, DeviceFilters, Member, Resource } from '@swarmdeck/bff/contract';
import { subscribeTo } from '../../data/listeners.ts';
import { useMapWith } from '../../data/cache/query-cache.ts';
import { useTrack } from '../../data/cache/track.ts';
import { useKeys } from '../../ui/keys-provider.tsx';
import {
  isInside,
  readMapView,
  useMapUrlView,
  type Insets,
  type MapHandle,
  type MapUrlView,
} from '../../ui/map-view-url.ts';
import { readUrl, useUrlState, type SetUrlState } from '../../ui/url-state.ts';
import { useClock } from '../../ui/time.tsx';
import { serverNow } from '../../data/server-clock.ts';
import { filtersOf, isOn, selection, wallUrl, type Layers, type WallUrl } from './wall-layers.ts';
import { readFirst, wallDeviceQuery, wallQuery, type WallSummary } from './wall.api.ts';

type Bbox = NonNullable<DeviceFilters['bbox']>;

/** The colours of the ages are updated this often, in ms. */
const agesInterval = 2000;
const zoomed = 0.01;
/** The minimum zoom when the map moves to a device of the list. */
const nearestLook = 6;

/**
 * The state and the actions of a wall; wall-page.tsx renders it. `liveDevice` is the selected device from the event
 * stream.
 */
export function useWall({ audience, liveDevice }: { audience: string; liveDevice: Resource | undefined }) {
  const [url, changeUrl] = useUrlState(wallUrl);
  const client = useQueryClient();
  const map = useRef<MapHandle>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const counts = useQuery(wallQuery(audience));
  const device = useSelected({ audience, id: url.selected, liveDevice });
  const track = useTrack((url.following && device) || null);
  const filters = useMemo(() => filtersOf({ audience, layers: url.layers }), [audience, url.layers]);
  const fullScreen = useFullScreen();
  const { keepView, writeView } = useWriteViewToUrl({ url, setUrl: changeUrl, map });
  const setUrl: SetUrlState<WallUrl> = (change, options) => {
    const { following } = readUrl(wallUrl);
    changeUrl(change, options);
    // At once: on a busy machine, an effect of the next render was not called.
    if (following && !readUrl(wallUrl).following) writeView();
  };
  const now = useClock({ read: serverNow, everyMs: url.byHeard ? agesInterval : null });

  useMapWith(wallQuery(audience));

  const [mapped, setMapped] = useState<number>();
  const [search, setSearch] = useState('');
  const [last, setLast] = useState<{ device: Device | Member; stack: Stack | null } | null>(null);
  const stepped = last?.device.id === url.selected ? last : null;
  const seen = useRef<Bbox | null>(null);
  const lastStep = useRef<string>(undefined);
  const step = (by: 1 | -1, bbox: Bbox | null, isStack = false) => {
    if (!bbox || !filters) return;
    const from = readUrl(wallUrl).selected;
    readFirst(client, { ...filters, bbox }).then(
      ({ items, total }) => {
        const { selected } = readUrl(wallUrl);
        // Another device was selected meanwhile, and not by an earlier step.
        if (selected !== from && selected !== lastStep.current) return;
        const chosen = selectNext({ items, id: selected, by });
        if (!chosen) return;
        lastStep.current = chosen.id;
        setUrl(selection(chosen.id));
        const stack = { at: items.indexOf(chosen) + 1, reachable: items.length, total };
        setLast({ device: chosen, stack: isStack ? stack : null });
      },
      // The wall already shows that the server does not respond.
      () => undefined,
    );
  };
  const toggleFollow = () => {
    if (url.selected !== null) setUrl(({ following }) => ({ following: !following }));
  };
  useKeys('wall', {
    j: () => step(1, seen.current),
    k: () => step(-1, seen.current),
    f: () => map.current?.fit(),
    o: toggleFollow,
    v: () => setUrl(({ byHeard }) => ({ byHeard: !byHeard })),
    m: () => map.current?.focus(),
    u: () => fullScreen?.toggle(),
    Escape: () => setUrl(({ following }) => (following ? { following: false } : selection(null))),
  });

  return {
    url,
    setUrl,
    counts,
    device,
    /** Of the device that the map follows. */
    track,
    fullScreen,
    toggleFollow,
    closeCard: () => setUrl(selection(null)),
    /** The device that a key or a repeated click selected last. */
    stepped: stepped?.device ?? null,
    /** Shows other layers. A selected device that they do not contain loses its card. */
    setLayers: (layers: Layers) => setUrl({ layers, ...(device && !isOn(layers, device) && selection(null)) }),
    toggleList() {
      setUrl(({ list }) => ({ list: !list }));
      setSearch('');
    },
    /** The search of the list. */
    search,
    setSearch,
    /** Selects a device of the list. The map moves to it. */
    lookAt({ id, position }: Device | Member) {
      setUrl(selection(id));
      if (!position) return;
      // Without a zoom, it is near enough to separate a cluster.
      const isClustered = seen.current && isInside(seen.current, position) && !map.current?.isSingle(id);
      const zoom = Math.max(readMapView(url.map)?.zoom ?? 0, nearestLook);
      map.current?.flyTo(position, isClustered ? undefined : zoom);
    },
    nothingOn: filters === null,
    placed: placedOf({ counts: counts.data, filters, mapped }),
    stack: stepped?.stack ?? null,
    onMap: {
      filters: filters ?? { audience },
      /** Of the list. It does not filter the map. */
      search: filters ? search : '',
      /** All layers are off, so the map has no symbols. */
      hidden: filters === null,
      selected: device ?? null,
      hoveredId: hovered,
      initialView: readMapView(url.map),
      /** Colours symbols by how long ago they were heard, at that time of the server's clock. Null: by machine type. */
      colourAt: url.byHeard ? now : null,
      // It stays where the device was while a past point is chosen.
      follow: (url.following && (track?.chosen ?? null) === null && device?.position) || null,
      onFollowEnd: () => setUrl({ following: false }),
      track,
      onSelect: (id: string | null) => setUrl(selection(id)),
      onHover: setHovered,
      onView(view: MapUrlView & { bbox: Bbox }) {
        seen.current = view.bbox;
        keepView(view);
      },
      // each click selects the next device at this place
      onOpenStack: (bbox: Bbox) => step(1, bbox, true),
      onCount: setMapped,
      handle: map,
    },
  };
}

export type WallState = ReturnType<typeof useWall>;

/** The selected device in a stack of devices at the same position, which clicks select in turn. */
export interface Stack {
  /** Its number, from 1. */
  at: number;
  /** The number of devices that clicks can select. */
  reachable: number;
  total: number;
}

/** The number of devices on the map. Undefined until it is known. */
function placedOf(options: {
  counts: WallSummary | undefined;
  filters: DeviceFilters | null;
  /** The count of the map. */
  mapped: number | undefined;
}): number | undefined {
  const { counts, filters, mapped } = options;
  if (filters === null) return 0;
  if (filters.machine_type || filters.resource_type || filters.presence) return mapped;
  return counts && counts.building === undefined ? counts.total - counts.unplaced : undefined;
}

interface SelectedOptions {
  audience: string;
  id: string | null;
  liveDevice: Resource | undefined;
}

/**
 * The selected device as its audience sees it, with the latest position from the event stream. Undefined while it loads, null
 * if it no longer exists.
 */
function useSelected({ audience, id, liveDevice }: SelectedOptions) {
  const fetched = useQuery({ ...wallDeviceQuery({ audience, id: id ?? '' }), enabled: id !== null });
  const device = useMemo(
    () => (fetched.data && liveDevice ? newest(fetched.data, liveDevice) : fetched.data),
    [fetched.data, liveDevice],
  );
  if (id === null) return undefined;
  return device;
}

function newest(read: Device | Member, liveDevice: Resource): Device | Member {
  const changed_at = liveDevice.modified_at ?? liveDevice.created_at;
  if (liveDevice.id !== read.id || changed_at <= read.changed_at) return read;
  const { position: _before, ...rest } = read;
  return { ...rest, ...liveDevice, changed_at };
}

interface WriteViewToUrlOptions {
  url: WallUrl;
  setUrl: SetUrlState<WallUrl>;
  map: RefObject<MapHandle | null>;
}

/**
 * Writes the map view to the URL. While the map follows a device, only a change of the zoom is written, because the
 * device determines the position. When following ends, the current view is written.
 */
function useWriteViewToUrl({ url: { map: text }, setUrl, map }: WriteViewToUrlOptions) {
  const leaveMapAt = useMapUrlView({
    text,
    write: (next) => setUrl({ map: next }),
    go: ({ lat, lng, zoom }) => map.current?.flyTo({ latitude: lat, longitude: lng }, zoom),
  });
  const last = useRef<MapUrlView>(null);
  return {
    /** Call it with each view that has settled. */
    keepView(view: MapUrlView) {
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

interface SelectNextOptions<Item extends { id: string }> {
  items: readonly Item[];
  id: string | null;
  by: 1 | -1;
}

/** The next or the previous item, with wrap-around. Without a selection, the first or the last one. */
export function selectNext<Item extends { id: string }>({ items, id, by }: SelectNextOptions<Item>): Item | undefined {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items.at(by > 0 ? 0 : -1);
  return items.at((at + by) % items.length);
}

const subscribe = subscribeTo(document, 'fullscreenchange');

/** Whether the page is in full screen, and how to toggle it; null if the browser does not allow it. */
function useFullScreen(): { on: boolean; toggle(): void } | null {
  const on = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    const change = document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen({ navigationUI: 'hide' });
    // A permissions policy may forbid it.
    change.catch(() => undefined);
  };
  return document.fullscreenEnabled ? { on, toggle } : null;
}

/** The map's interface for a wall. The route passes the map. */
export type RenderWallMap = (props: WallState['onMap'] & { label: string; insets: Insets }) => ReactNode;
