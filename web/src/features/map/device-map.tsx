import type { DeviceFilters, MapFeature, Position } from '@swarmdeck/bff/contract';
import type { Map as LeafletMap } from 'leaflet';
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { createListeners } from '../../data/listeners.ts';
import { isUnreachable } from '../../data/problem.ts';
import type { ValueFilter } from '../../data/filter-params.ts';
import { t } from '../../text/text.ts';
import { pinned, useMedia } from '../../ui/browser/media.ts';
import type { MapHandle, SettledView } from '../../ui/urls/map-view-url.ts';
import { useOwnLocation } from '../../ui/browser/use-own-location.ts';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { useMapColours } from './canvas/map-colours.ts';
import { DeviceMapContext } from './device-map-context.ts';
import { DeviceMapNotice } from './device-map-notice.tsx';
import { MapControls } from './frame/map-controls.tsx';
import { MapFrame } from './frame/map-frame.tsx';
import type { Uncovering } from './frame/uncovered.ts';
import { MapNotice } from './canvas/map-notice.tsx';
import { MapShell } from './frame/map-shell.tsx';
import { createMapNavigation, type KeptFree } from './frame/free-view.ts';
import { useFirstView, useViewSettled, useViewport } from './frame/use-map-view.ts';
import { usePlacingInput, usePointer } from './frame/map-events.ts';
import { freeOffset, leastZoom, shifted, type Insets, type Bbox, type View } from './geometry/view.ts';
import { summaryOf, useMapSummary, wholeWorld, type MapQuestion, type MapSummary } from './map.api.ts';
import { LiveSymbols, type SymbolLayer } from './symbols/symbol-layer.tsx';
import type { SelectedSymbol, ValueRange } from './symbols/scene.ts';
import type { StoredMap } from './stored-map.ts';

const DraggableMarker = lazyPart(async () => (await import('./symbols/draggable-marker.tsx')).DraggableMarker);
const OwnLocation = lazyPart(async () => (await import('./frame/own-location.tsx')).OwnLocation);
const KeptPlace = lazyPart(async () => (await import('./frame/use-kept-place.ts')).KeptPlace);
const StoredMapSource = lazyPart(async () => (await import('./stored-map-source.ts')).StoredMapSource);
const AccuracyArea = lazyPart(async () => (await import('./symbols/accuracy-area.tsx')).AccuracyArea);
const Uncovered = lazyPart(async () => (await import('./frame/uncovered.ts')).Uncovered);
const ValueScale = lazyPart(async () => (await import('./symbols/value-scale.tsx')).ValueScale);

/** At most the minimum zoom: Leaflet would otherwise correct it, which would count as a move of the user. */
const everything = (): View => ({
  lat: 25,
  lng: 10,
  zoom: Math.max(2, leastZoom({ width: innerWidth, height: innerHeight })),
});

interface DeviceMapProps {
  filters: DeviceFilters & Pick<ValueFilter, 'values'>;
  /** What a list was searched for that does not filter the map. */
  search?: string;
  /** Without symbols. */
  hidden?: boolean;
  selected: SelectedSymbol | null;
  hoveredId: string | null;
  insets: Insets;
  /** Null: all matching devices. */
  initialView: View | null;
  onSelect: (id: string | null) => void;
  onHover: (id: string | null) => void;
  /** Called when the map has settled, with the view of its free part. `isEmpty`: nobody has moved it, and there is no device. */
  onView: (view: SettledView & { bbox: Bbox; isEmpty: boolean }) => void;
  /** Called for a click on a cluster that no zoom separates. */
  onOpenStack: (bbox: Bbox) => void;
  /** A device is being placed: the next click sets its position. */
  placing?: { name: string; onPlace: (position: Position, isKey: boolean) => void; onCancel: () => void } | null;
  handle?: Ref<MapHandle>;
  /** The accessible name; by default that of a map beside a list. */
  label?: string;
  /** False if the page has its own legend. */
  legend?: boolean;
  /** The map is wide: it shows no place twice and, until it is moved, all devices that come later too. */
  oneWorld?: boolean;
  keptFree?: KeptFree;
  look?: MapLook;
  /** Parts that only some pages have. They read `useDeviceMap`. */
  children?: ReactNode;
}

/** What symbols say beside their type. */
interface MapLook {
  /** Shows names beside single devices. */
  names?: boolean;
  /** Colours by how long ago they were heard, at that time of the server's clock. */
  colourAt?: number | null;
  /** Shows this value beside single devices. */
  valueKey?: string | null;
  /** Colours by it, from the smallest to the largest number. */
  byValue?: boolean;
}

const plain: MapLook = {};

/** What the map asks for: all devices until it opens at a view, then those around its view. `seen`: what was in view when it had settled. */
function useMapQuestion(options: {
  filters: DeviceMapProps['filters'];
  map: LeafletMap | null;
  initialView: View | null;
}) {
  const { filters, map, initialView } = options;
  const requested = useViewport(map);
  const [isOpen, setIsOpen] = useState(initialView !== null);
  const [seen, setSeen] = useState<Bbox | null>(null);
  const question: MapQuestion = { filters, viewport: isOpen ? (requested?.viewport ?? null) : wholeWorld };
  const onOpen = () => {
    // The map moves, and where it settles is not known yet.
    if (!isOpen) setSeen(null);
    setIsOpen(true);
  };
  return { question, seen, setSeen, isOpen, onOpen };
}

/** The last answer that is whole, or what is stored if the server cannot be reached. */
function useMapAnswer(question: MapQuestion, seen: Bbox | null) {
  const query = useMapSummary({ ...question, seen });
  // The page itself shows that the server cannot be reached.
  const isAway = isUnreachable(query.error);
  const [storedMap, setStored] = useState<StoredMap | null>(null);
  const stored = isAway ? storedMap : null;
  const [answered, setAnswered] = useState<MapSummary | null>(null);
  const building = query.data?.building;
  // A failed or missing response keeps the previous symbols.
  if (query.data && query.data !== answered && building === undefined) setAnswered(query.data);
  const view = stored ? summaryOf(stored, seen) : answered;
  return {
    view,
    stored,
    setStored,
    isAway,
    /** `view` is that of another question, or its response is missing. */
    isOutdated: query.isPlaceholderData || (query.isError && !stored),
    /** What is said of it on the map. */
    notice: {
      building,
      isLoading: view === null && building === undefined && !query.isError,
      failed: query.isError && !isAway,
      isUnknown: isAway && !stored,
      onRetry: () => void query.refetch(),
    },
  };
}

/** The numbers on the map. The same object until they change. */
function useValueRange() {
  const [range, setRange] = useState<ValueRange | null>(null);
  const change = (next: ValueRange | null) => {
    if (next?.least !== range?.least || next?.most !== range?.most) setRange(next);
  };
  return [range, change] as const;
}

/** Moves the map to what a search has found, once for each search, if nothing of that is in view. */
function useViewOfFound(options: {
  q: string | undefined;
  question: MapQuestion;
  seen: Bbox | null;
  /** Until the map has a view, nothing is known to be out of it. */
  isReady: boolean;
  fitTo: (bounds: Bbox) => void;
}) {
  const { q, question, seen, isReady, fitTo } = options;
  const searched = useRef(q);
  const filters = q ? { ...question.filters, q } : question.filters;
  const search = useMapSummary({ ...question, filters, seen });
  const isComplete = !search.isPlaceholderData && !search.isError && search.data?.building === undefined;
  const found = isReady && seen !== null && isComplete ? search.data : undefined;
  const showFound = useEffectEvent(({ inSight, bounds }: MapSummary) => {
    if (searched.current === q) return;
    searched.current = q;
    if (q && !inSight && bounds) fitTo(bounds);
  });
  useEffect(() => {
    if (found) showFound(found);
  }, [found]);
  return {
    /** The map stays where it is for the search of now. */
    keepView: () => {
      searched.current = q;
    },
  };
}

type MapNavigation = ReturnType<typeof createMapNavigation>;

interface MapHandleOptions extends Pick<MapNavigation, 'fit' | 'flyTo'> {
  handle: Ref<MapHandle> | undefined;
  map: LeafletMap | null;
  symbols: RefObject<SymbolLayer | null>;
  uncovering: RefObject<Uncovering | null>;
  keepView: () => void;
}

/** What the page of the map calls. */
function useMapHandle({ handle, map, symbols, uncovering, fit, flyTo, keepView }: MapHandleOptions): void {
  useImperativeHandle(handle, () => ({
    fit,
    flyTo(...place: Parameters<typeof flyTo>) {
      // A saved view has a search and a place.
      keepView();
      flyTo(...place);
    },
    focus: () => map?.getContainer().focus({ preventScroll: true }),
    uncover: () => uncovering.current?.uncover(),
    isSingle: (id) => symbols.current?.isSingle(id) ?? false,
  }));
}

interface MapInput extends Pick<
  DeviceMapProps,
  'hoveredId' | 'insets' | 'onSelect' | 'onHover' | 'onOpenStack' | 'placing'
> {
  map: LeafletMap | null;
  symbols: RefObject<SymbolLayer | null>;
  into: MapNavigation['into'];
}

/** A click selects a device or opens a cluster; while a device is placed, it gives its position. */
function useMapInput({ map, symbols, into, placing = null, insets, hoveredId, ...props }: MapInput): void {
  function open({ id, geometry, properties }: MapFeature): void {
    if (!properties.cluster) props.onSelect(id);
    else if (!into({ geometry, properties })) props.onOpenStack(properties.bbox);
  }
  usePointer({
    map,
    symbols,
    enabled: placing === null,
    onHover: (id) => id !== hoveredId && props.onHover(id),
    onClick: (feature) => (feature ? open(feature) : props.onSelect(null)),
  });
  usePlacingInput({
    map,
    active: placing !== null,
    takeFocus: placing !== null,
    insets,
    onPlace: (position, isKey) => placing?.onPlace(position, isKey),
    onCancel: () => placing?.onCancel(),
  });
}

function markerOf(selected: SelectedSymbol | null) {
  if (!selected?.position) return null;
  const { name, machine_type, position } = selected;
  return { name, machine_type, position };
}

/** The map of devices, with selection and hover. */
export function DeviceMap(props: DeviceMapProps) {
  const { filters, selected, hoveredId, insets, initialView, keptFree, placing = null, look = plain } = props;
  const [map, setMap] = useState<LeafletMap | null>(null);
  const symbols = useRef<SymbolLayer>(null);
  const uncovering = useRef<Uncovering>(null);
  const colours = useMapColours();
  const [valueRange, setValueRange] = useValueRange();

  const { question, seen, setSeen, isOpen, onOpen } = useMapQuestion({ filters, map, initialView });
  const { view, stored, setStored, isAway, isOutdated, notice } = useMapAnswer(question, seen);
  const bounds = view?.bounds ?? null;
  const [moves] = useState(createListeners);

  const least = { oneWorld: props.oneWorld === true, bounds, keptFree };
  const isFitted = useFirstView({ map, insets, initialView, ...least, seen, fallback: everything(), onOpen });
  useViewSettled({
    map,
    insets,
    least,
    onView: (rested) => {
      setSeen(rested.bbox);
      props.onView({ ...rested, isFitted: isFitted.current, isEmpty: isFitted.current && bounds === null });
    },
  });
  const isPinned = useMedia(pinned);
  const space = { map, insets, keptFree, leave: moves.notify };
  const { fit, flyTo, flyToOwn, into } = createMapNavigation({ ...space, bounds });
  const { locate, located, error, dismiss } = useOwnLocation(flyToOwn, { follows: true });
  /** The devices are known, and the map will move to them. */
  const isOpening = !isOpen && bounds !== null;
  const shown = isOpening || isOutdated ? null : view;
  const { keepView } = useViewOfFound({
    q: props.search || filters.q,
    question,
    seen,
    isReady: !isOpening,
    fitTo: (around) => createMapNavigation({ ...space, bounds: around }).fit(),
  });
  useMapHandle({ handle: props.handle, map, symbols, uncovering, fit, flyTo, keepView });
  useMapInput({ ...props, map, symbols, into });

  const isPlacing = placing !== null;
  const shownMap = useMemo(
    () => ({ insets, view, isPlacing, onMoved: moves.subscribe }),
    [insets, view, isPlacing, moves],
  );

  // While a device is placed, its marker can be dragged, unless the map moves under a pin.
  const marker = placing && !isPinned ? markerOf(selected) : null;

  return (
    <MapShell insets={insets} placing={isPlacing} cross={marker === null}>
      <MapFrame
        ref={setMap}
        label={placing ? t.map.place_label(placing.name) : (props.label ?? t.map.label)}
        insets={insets}
        view={shifted(initialView ?? everything(), freeOffset(insets))}
        busy={notice.isLoading}
      >
        {isAway && <StoredMapSource question={question} onChange={setStored} />}
        {isPinned && placing && <KeptPlace map={map} insets={insets} />}
        {map && isOpen && selected && (
          <Uncovered key={selected.id} handle={uncovering} map={map} insets={insets} selected={selected} />
        )}
        {located && <OwnLocation at={located} />}
        {/* The devices come first. */}
        {isOpen && view && <DeviceMapContext value={shownMap}>{props.children}</DeviceMapContext>}
        {marker && placing ? (
          <DraggableMarker {...marker} overSymbols readOnly={false} onChange={(at) => placing.onPlace(at, false)} />
        ) : (
          selected?.position &&
          selected.accuracy !== undefined && <AccuracyArea position={selected.position} accuracy={selected.accuracy} />
        )}
        {!props.hidden && (
          <LiveSymbols
            symbols={symbols}
            question={question}
            stored={stored}
            names={look.names === true}
            colourAt={look.colourAt ?? null}
            valueKey={look.valueKey ?? null}
            valueRange={look.byValue ? valueRange : null}
            onValueRange={setValueRange}
            selected={marker ? null : selected}
            hoveredId={hoveredId}
            colours={colours}
            insets={insets}
          />
        )}
      </MapFrame>
      {map && <MapControls map={map} insets={insets} onFit={fit} onLocate={locate} legend={props.legend ?? true} />}
      {look.valueKey && look.byValue && valueRange && <ValueScale valueKey={look.valueKey} range={valueRange} />}
      {error && <MapNotice text={t.map.location_errors[error]} action={t.shell.kit.dismiss} onAction={dismiss} />}
      {!error && placing === null && (
        <DeviceMapNotice {...notice} view={shown} filters={filters} stored={stored} onFit={fit} />
      )}
    </MapShell>
  );
}
