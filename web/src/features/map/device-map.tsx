import type { DeviceFilters, MapFeature, Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import type { Ref } from 'react';
import { isAway } from '../../api/problem.ts';
import { t } from '../../text/text.ts';
import { optional } from '../../ui/lazy-part.tsx';
import { usePalette } from './canvas/use-palette.ts';
import { MapControls } from './frame/map-controls.tsx';
import { MapFrame } from './frame/map-frame.tsx';
import { MapNotice } from './frame/map-notice.tsx';
import { MapShell } from './frame/map-shell.tsx';
import { mapWays } from './frame/map-navigation.ts';
import { useDense } from './frame/use-dots-mode.ts';
import { useFirstView } from './frame/use-first-view.ts';
import { useLocate } from './frame/use-locate.ts';
import { usePlacing } from './frame/use-placing.ts';
import { usePointer } from './frame/use-pointer.ts';
import { useRest } from './frame/use-view-settled.ts';
import { useUncovered } from './frame/use-uncovered.ts';
import { useViewport } from './frame/use-viewport.ts';
import { freeOffset } from './geometry/insets.ts';
import type { Insets } from './geometry/insets.ts';
import { leastZoom, shifted } from './geometry/view.ts';
import type { Bbox, View } from './geometry/view.ts';
import { useMapSummary } from './map.api.ts';
import type { MapSummary } from './map.api.ts';
import { LiveSymbols } from './symbols/live-symbols.tsx';
import type { SelectedDevice } from './symbols/scene.ts';
import type { SymbolLayer } from './symbols/symbol-layer.ts';

const DeviceMapNotice = optional(async () => (await import('./device-map-notice.tsx')).DeviceMapNotice);
const Dots = optional(async () => (await import('./dots/dots.tsx')).Dots);
const OwnLocation = optional(async () => (await import('./frame/own-location.tsx')).OwnLocation);
const Follow = optional(async () => (await import('./frame/follow.tsx')).Follow);

/** Never further out than one can zoom: to be set right would count as having been moved. */
const everything = (): View => ({
  lat: 25,
  lng: 10,
  zoom: Math.max(2, leastZoom({ width: innerWidth, height: innerHeight })),
});

interface DeviceMapHandle {
  fit(): void;
  flyTo(position: Position, zoom?: number): void;
  focus(): void;
}

interface DeviceMapProps {
  filters: DeviceFilters;
  selected: SelectedDevice | null;
  hoveredId: string | null;
  insets: Insets;
  /** Null: everything that matches. */
  initialView: View | null;
  onSelect: (id: string | null) => void;
  onHover: (id: string | null) => void;
  /** The map has come to rest. All of it means the free part. */
  onView: (view: View & { bbox: Bbox }) => void;
  /** How many devices the map shows, in view or not. */
  onCount?: (placed: number) => void;
  /** A cluster that no zoom takes apart was clicked. */
  onOpenSpot: (bbox: Bbox) => void;
  /** A device is being placed: the next click says where. */
  placing?: { name: string; onPlace: (position: Position) => void; onCancel: () => void } | null;
  handle?: Ref<DeviceMapHandle>;
  /** What it is called; else the map beside a list. */
  label?: string;
  /** False: the page has a legend of its own. */
  legend?: boolean;
  /** No symbols. */
  hidden?: boolean;
  /** Names beside single devices; and colours by last change, as of that time of the server's clock. */
  names?: boolean;
  colourAt?: number | null;
  /** What the map keeps in sight, until it is moved by hand. */
  follow?: Position | null;
  onFollowEnd?: () => void;
}

/** Devices on the built-in map: the half of the home screen that is paired with the list. */
export function DeviceMap(props: DeviceMapProps) {
  const { filters, selected, hoveredId, insets, initialView, placing = null } = props;
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [seen, setSeen] = useState<Bbox | null>(null);
  const symbols = useRef<SymbolLayer>(null);
  const palette = usePalette();

  const asked = useViewport(map);
  const [dense] = useDense();
  const question = { filters, viewport: asked?.viewport ?? null };
  const query = useMapSummary({ ...question, seen });
  const [view, setView] = useState<MapSummary | null>(null);
  const building = query.data?.building;
  // an answer that failed, or that is not there yet, leaves the picture of the last one
  if (query.data && query.data !== view && building === undefined) setView(query.data);
  const bounds = view?.bounds ?? null;
  const placed = view && view.total - view.unplaced;
  const reportCount = useEffectEvent((count: number) => props.onCount?.(count));
  useEffect(() => {
    if (placed !== null) reportCount(placed);
  }, [placed]);

  useRest({
    map,
    insets,
    onView: (rested) => {
      setSeen(rested.bbox);
      props.onView(rested);
    },
  });
  useFirstView({ map, insets, initialView, bounds });
  useUncovered({ map, insets, selected });
  // whoever sends the map elsewhere lets go of what it follows
  const letGo = () => props.follow && props.onFollowEnd?.();
  const { fit, flyTo, into } = mapWays({ map, insets, bounds, leave: letGo });
  const { locate, located, fault, dismiss } = useLocate((position) => {
    letGo();
    flyTo(position);
  });
  useImperativeHandle(props.handle, () => ({
    fit,
    flyTo,
    focus: () => map?.getContainer().focus({ preventScroll: true }),
  }));

  function open({ id, geometry, properties }: MapFeature): void {
    if (!properties.cluster) props.onSelect(id);
    else if (!into({ geometry, properties })) props.onOpenSpot(properties.bbox);
  }
  usePointer({
    map,
    symbols,
    enabled: placing === null && !dense,
    onHover: (id) => id !== hoveredId && props.onHover(id),
    onClick: (feature) => (feature ? open(feature) : props.onSelect(null)),
  });
  // a map that has not opened yet opens where it should, and then follows
  const opens = initialView !== null || bounds !== null;
  usePlacing({
    map,
    active: placing !== null,
    takeFocus: placing !== null,
    insets,
    onPlace: (position) => placing?.onPlace(position),
    onCancel: () => placing?.onCancel(),
  });

  // nobody answering at all is told by the page
  const failed = query.isError && !isAway(query.error);
  const shown = query.isPlaceholderData || query.isError ? null : view;
  return (
    <MapShell insets={insets} placing={placing !== null}>
      <MapFrame
        ref={setMap}
        label={placing ? t.map.place_label(placing.name) : (props.label ?? t.map.label)}
        view={shifted(initialView ?? everything(), freeOffset(insets))}
        busy={view === null && building === undefined && !query.isError}
      >
        {dense && asked && (
          <Dots
            filters={filters}
            frame={asked.frame}
            palette={palette}
            enabled={placing === null}
            onClick={(bbox) => (bbox ? props.onOpenSpot(bbox) : props.onSelect(null))}
          />
        )}
        {located && <OwnLocation at={located} />}
        {props.follow !== undefined && (
          <Follow insets={insets} position={opens ? props.follow : null} onEnd={() => props.onFollowEnd?.()} />
        )}
        <LiveSymbols
          symbols={symbols}
          question={question}
          hidden={dense || props.hidden === true}
          names={props.names === true}
          colourAt={props.colourAt ?? null}
          selected={selected}
          hoveredId={hoveredId}
          palette={palette}
          insets={insets}
        />
      </MapFrame>
      {map && <MapControls map={map} insets={insets} onFit={fit} onLocate={locate} legend={props.legend ?? true} />}
      {fault && <MapNotice text={fault} action={t.map.dismiss} onAct={dismiss} />}
      {!fault && (failed || building !== undefined || shown?.inSight === false) && (
        <DeviceMapNotice
          failed={failed}
          onRetry={() => void query.refetch()}
          building={building}
          view={shown}
          filters={filters}
          onFit={fit}
        />
      )}
    </MapShell>
  );
}
