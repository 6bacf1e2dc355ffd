import type { MachineType, Position } from '@swarmdeck/bff/contract';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../text/text.ts';
import { usePlaceText } from '../../data/places/places.ts';
import { pinned, touch, useMedia } from '../../ui/media.ts';
import { useOwnLocation } from '../../ui/use-own-location.ts';
import { flyToView } from './frame/free-view.ts';
import { MapControls } from './frame/map-controls.tsx';
import { MapFrame } from './frame/map-frame.tsx';
import { MapNotice } from './canvas/map-notice.tsx';
import { MapShell } from './frame/map-shell.tsx';
import { OwnLocation } from './frame/own-location.tsx';
import { useLeafletEvents, usePlacingInput, isTouch } from './frame/map-events.ts';
import { useKeptPlace } from './frame/use-kept-place.ts';
import { usePinnedPlace } from './frame/use-pinned-place.ts';
import { useViewSettled } from './frame/use-map-view.ts';
import { useTwoFingers } from './frame/use-two-fingers.ts';
import { longitudeNear } from './geometry/mercator.ts';
import { positionAt, POINT_ZOOM, type View } from './geometry/view.ts';
import { lazyPart } from '../../ui/lazy.tsx';
import { DraggableMarker } from './symbols/draggable-marker.tsx';
import type { ShownTrack } from '../../data/cache/track.ts';

const AccuracyArea = lazyPart(async () => (await import('./symbols/accuracy-area.tsx')).AccuracyArea);
const TrackLine = lazyPart(async () => (await import('./symbols/track-line.tsx')).TrackLine);

const open = { top: 0, right: 0, bottom: 0, left: 0 };
const everywhere = { lat: 30, lng: 10, zoom: 1 };

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
  track?: ShownTrack | null;
  /** The accuracy of the position, in metres. */
  accuracy?: number | undefined;
  /** It is all that there is on the page: one finger moves it. */
  fillsPage?: boolean;
  /** Called when placing has ended, by a click or by Escape. */
  onPlaced?: () => void;
}

/** A small map for the position of one device: click, drag or arrow keys. */
export function PlaceMap({
  position,
  machine_type,
  name,
  onChange,
  readOnly = false,
  isSilent = false,
  placing = false,
  place = null,
  track = null,
  accuracy,
  fillsPage = false,
  onPlaced,
}: PlaceMapProps) {
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [first, setFirst] = useState<{ position: Position | null; centre: View | null }>({ position, centre: null });
  const [centre, setCentre] = useState<View | null>(null);
  const isPinned = useMedia(pinned) && placing && !readOnly;
  const pin = usePinnedPlace({ map, enabled: isPinned, position, onChange });
  useViewSettled({
    map,
    insets: open,
    onView(view) {
      setFirst((now) => ({ ...now, centre: now.centre ?? view }));
      setCentre(view);
      pin.settle(view);
    },
  });
  useKeptPlace({ map, insets: open, enabled: isPinned });
  const goTo = (place: Position) => {
    if (map) flyToView({ map, insets: open, view: viewNear(place, map.getZoom()) });
  };
  const showPosition = useEffectEvent(() => position && goTo(position));
  useEffect(() => void (isPinned && showPosition()), [isPinned]);
  const { locate, located, error, dismiss } = useOwnLocation(goTo, { follows: true });

  const onTouch = useMedia(touch);
  const isSwiped = useTwoFingers({ map, enabled: onTouch && !placing && !fillsPage });

  const active = !readOnly && (placing || position === null);
  // Only what has changed is announced.
  const crossed = usePlaceText(
    active && centre && centre !== first.centre ? { latitude: centre.lat, longitude: centre.lng } : null,
  );
  const marked = usePlaceText(readOnly || position === first.position ? null : position);
  usePlacingInput({
    map,
    active,
    takeFocus: placing,
    insets: open,
    onPlace: (place, isKey) => {
      // A tap moves the map under the pin.
      if (isPinned && !isKey) {
        pin.choose();
        return goTo(place);
      }
      onChange(place);
      onPlaced?.();
    },
    onCancel: () => onPlaced?.(),
  });

  // On touch screens a tap moves the marker too, because dragging is difficult.
  useLeafletEvents(
    map,
    readOnly || active
      ? {}
      : { click: (event: LeafletMouseEvent) => isTouch(event) && onChange(positionAt(event.latlng)) },
  );

  useEffect(() => {
    if (!map || !place) return;
    flyToView({ map, insets: open, view: place });
    map.getContainer().focus({ preventScroll: true });
  }, [map, place]);

  // A typed position may be outside the view.
  useEffect(() => {
    if (map === null || position === null) return;
    const lng = longitudeNear(position.longitude, map.getCenter().lng);
    if (map.getBounds().contains([position.latitude, lng])) return;
    flyToView({ map, insets: open, view: viewNear(position, map.getZoom()) });
  }, [map, position]);

  return (
    <MapShell insets={open} placing={active} cross={isPinned} small>
      <MapFrame
        ref={setMap}
        label={active ? t.map.place_label(name) : t.map.place_map}
        insets={open}
        view={position ? viewNear(position, 0) : everywhere}
      >
        {located && <OwnLocation at={located} />}
        {track && <TrackLine {...track} />}
        {position && accuracy !== undefined && <AccuracyArea position={position} accuracy={accuracy} />}
        {position && !isPinned && (
          <DraggableMarker {...{ position, machine_type, name, readOnly, isSilent, onChange }} />
        )}
      </MapFrame>
      {map && (
        <MapControls
          map={map}
          insets={open}
          fitLabel={t.map.to_marker}
          onFit={position ? () => goTo(position) : undefined}
          onLocate={locate}
        />
      )}
      {error && <MapNotice text={t.map.location_errors[error]} action={t.shell.kit.dismiss} onAction={dismiss} />}
      <output className="visually-hidden">
        {active ? crossed && t.map.crossed(crossed) : marked && t.map.marked(marked)}
      </output>
      {!error && isSwiped && <MapNotice text={t.map.two_fingers} />}
    </MapShell>
  );
}

function viewNear({ latitude, longitude }: Position, zoom: number): View {
  return { lat: latitude, lng: longitude, zoom: Math.max(POINT_ZOOM, zoom) };
}
