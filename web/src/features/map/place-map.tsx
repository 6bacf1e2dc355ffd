import type { MachineType, Position } from '@swarmdeck/bff/contract';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../text/text.ts';
import { usePlaceText } from '../../data/places/places.ts';
import { pinned, touch, useMedia } from '../../ui/browser/media.ts';
import { useOwnLocation, type OwnPosition } from '../../ui/browser/use-own-location.ts';
import { flyToView, viewOfOwn } from './frame/free-view.ts';
import { MapControls } from './frame/map-controls.tsx';
import { MapFrame } from './frame/map-frame.tsx';
import { MapNotice } from './canvas/map-notice.tsx';
import { MapShell } from './frame/map-shell.tsx';
import { OwnLocation } from './frame/own-location.tsx';
import { useLeafletEvents, usePlacingInput, isTouch } from './frame/map-events.ts';
import { useKeptPlace } from './frame/use-kept-place.ts';
import { open, useMovesTo, viewNear } from './frame/use-moves-to.ts';
import { usePinnedPlace } from './frame/use-pinned-place.ts';
import { useViewSettled } from './frame/use-map-view.ts';
import { useTwoFingers } from './frame/use-two-fingers.ts';
import { positionAt, POINT_ZOOM, type View } from './geometry/view.ts';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { DraggableMarker } from './symbols/draggable-marker.tsx';
import type { ShownTrack } from '../../data/cache/track.ts';

const AccuracyArea = lazyPart(async () => (await import('./symbols/accuracy-area.tsx')).AccuracyArea);
const TrackLine = lazyPart(async () => (await import('./symbols/track-line.tsx')).TrackLine);

const everywhere = { lat: 30, lng: 10, zoom: 1 };
/** The zoom for a guest, who has only the built-in map: at least one of the towns around is visible. */
const townZoom = 9;

interface PlaceMapProps {
  position: Position | null;
  machine_type: MachineType;
  name: string;
  onChange: (position: Position) => void;
  readOnly?: boolean;
  isSilent?: boolean;
  /**
   * The next click moves the device. Without a position every click does, and a tap always does. On a phone, the map also moves
   * under a pin.
   */
  placing?: boolean;
  /** The map moves here and gets the focus. */
  place?: View | null;
  /** Where the map begins, if it was shown before. */
  lastView?: () => View | null;
  /** Called with what the map shows, once it has settled. */
  onView?: (view: View) => void;
  track?: ShownTrack | null;
  /** The accuracy of the position, in metres. */
  accuracy?: number | undefined;
  /** It is all that there is on the page: one finger moves it. */
  fillsPage?: boolean;
  /** Called when placing has ended, by a click or by Escape. */
  onPlaced?: () => void;
}

/** A small map for the position of one device: click, drag or arrow keys. */
export function PlaceMap(props: PlaceMapProps) {
  const { position, machine_type, name, readOnly = false, placing = false, place = null, onChange } = props;
  const [map, setMap] = useState<LeafletMap | null>(null);
  const nearest = props.fillsPage === true ? townZoom : POINT_ZOOM;
  const [first] = useState(() => props.lastView?.() ?? (position ? viewNear(position, nearest) : everywhere));
  const [centre, setCentre] = useState<View | null>(null);
  /** By the user, or because another map was shown before. */
  const [isMoved, setMoved] = useState(() => Boolean(props.lastView?.()));
  useLeafletEvents(map, { movestart: () => setMoved(true) });
  const isPinned = useMedia(pinned) && placing && !readOnly;
  const pin = usePinnedPlace({ map, enabled: isPinned, position, onChange });
  useViewSettled({
    map,
    insets: open,
    onView(view) {
      setCentre(view);
      props.onView?.(view);
      pin.settle(view);
    },
  });
  useKeptPlace({ map, insets: open, enabled: isPinned });
  const goTo = (to: Position) => {
    if (map) flyToView({ map, insets: open, view: viewNear(to, Math.max(nearest, map.getZoom())) });
  };
  const showPosition = useEffectEvent(() => position && goTo(position));
  useEffect(() => void (isPinned && showPosition()), [isPinned]);
  useMovesTo({ map, place, position, keepsView: (props.track?.chosen ?? null) !== null });
  const goToOwn = (at: OwnPosition) => {
    if (map) flyToView({ map, insets: open, view: viewOfOwn({ map, insets: open, at, nearest }) });
  };
  const { locate, located, error, dismiss } = useOwnLocation(goToOwn, { follows: true });
  const onTouch = useMedia(touch);
  const isSwiped = useTwoFingers({ map, enabled: onTouch && !placing && props.fillsPage !== true });
  const active = !readOnly && (placing || position === null);
  usePlaceInput({
    map,
    active,
    readOnly,
    placing,
    onPlace(at, isKey) {
      // A tap moves the map under the pin.
      if (isPinned && !isKey) {
        pin.choose();
        return goTo(at);
      }
      onChange(at);
      props.onPlaced?.();
    },
    onMove: onChange,
    onCancel: () => props.onPlaced?.(),
  });
  return (
    <MapShell insets={open} placing={active} cross={isPinned} small>
      <MapFrame
        ref={setMap}
        label={active ? t.map.place_label(name) : t.device.position_map.label}
        insets={open}
        view={first}
      >
        {located && <OwnLocation at={located} />}
        {props.track && <TrackLine {...props.track} fits={!isMoved && !placing} />}
        {position && props.accuracy !== undefined && <AccuracyArea position={position} accuracy={props.accuracy} />}
        {position && !isPinned && (
          <DraggableMarker
            position={position}
            machine_type={machine_type}
            name={name}
            readOnly={readOnly}
            onChange={onChange}
            isSilent={props.isSilent === true}
          />
        )}
      </MapFrame>
      {map && (
        <MapControls
          map={map}
          insets={open}
          fitLabel={t.device.position_map.to_marker}
          onFit={position ? () => goTo(position) : undefined}
          onLocate={locate}
        />
      )}
      {error && <MapNotice text={t.map.location_errors[error]} action={t.shell.kit.dismiss} onAction={dismiss} />}
      <SpokenPlace active={active} centre={centre} position={readOnly ? null : position} />
      {!error && isSwiped && <MapNotice text={t.device.place_map.two_fingers} />}
    </MapShell>
  );
}

interface PlaceInput {
  map: LeafletMap | null;
  /** The next click gives the position. */
  active: boolean;
  readOnly: boolean;
  placing: boolean;
  onPlace(at: Position, isKey: boolean): void;
  onMove(to: Position): void;
  onCancel(): void;
}

function usePlaceInput({ map, active, readOnly, placing, onPlace, onMove, onCancel }: PlaceInput): void {
  usePlacingInput({ map, active, takeFocus: placing, insets: open, onPlace, onCancel });
  // On touch screens a tap moves the marker too, because dragging is difficult.
  useLeafletEvents(
    map,
    readOnly || active
      ? {}
      : { click: (event: LeafletMouseEvent) => isTouch(event) && onMove(positionAt(event.latlng)) },
  );
}

interface SpokenPlaceProps {
  active: boolean;
  centre: View | null;
  position: Position | null;
}

/** Says where the crosshair or the marker is, once it has moved. */
function SpokenPlace({ active, centre, position }: SpokenPlaceProps) {
  const [first, setFirst] = useState({ position, centre });
  if (first.centre === null && centre !== null) setFirst({ ...first, centre });
  const isMoved = active && centre !== null && centre !== first.centre;
  const crossed = usePlaceText(isMoved ? { latitude: centre.lat, longitude: centre.lng } : null);
  const marked = usePlaceText(position === first.position ? null : position);
  return (
    <output className="visually-hidden">
      {active ? crossed && t.device.place_map.crossed(crossed) : marked && t.device.place_map.marked(marked)}
    </output>
  );
}
