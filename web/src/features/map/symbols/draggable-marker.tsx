import type { MachineType, Position } from '@swarmdeck/bff/contract';
import { divIcon, type DragEndEvent, type Marker as LeafletMarker } from 'leaflet';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { Marker, useMapEvents } from 'react-leaflet';
import { t } from '../../../text/text.ts';
import { publishObstacles } from '../canvas/obstacles.ts';
import { longitudeNear, shownY, worldSize, worldX } from '../geometry/mercator.ts';
import { positionAt } from '../geometry/view.ts';
import './draggable-marker.css';
import { Symbol } from './symbol-svg.tsx';
import { SELECTED } from './symbol-shapes.ts';

const SIZE = 2 * SELECTED.radius + SELECTED.width;
const STEP = { plain: 1, shift: 10 };
/** The distance in px that the marker keeps from the edge when arrow keys move it. */
const EDGE = 48;

const directions: Record<string, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface DraggableMarkerProps {
  position: Position;
  machine_type: MachineType;
  name: string;
  readOnly: boolean;
  isSilent?: boolean;
  /** The map has other symbols, which publish what names must not cover. */
  overSymbols?: boolean;
  onChange: (position: Position) => void;
}

/** The draggable marker of a device: on its small map, or on a map of devices while it is placed. */
export function DraggableMarker(props: DraggableMarkerProps) {
  const { position, machine_type, name, readOnly, isSilent = false, overSymbols = false, onChange } = props;
  // React renders into Leaflet's icon, so that a name is never part of an HTML string.
  const [element] = useState(() => document.createElement('div'));
  const [icon] = useState(() => divIcon({ html: element, className: 'map-marker', iconSize: [SIZE, SIZE] }));
  const [centre, setCentre] = useState(position.longitude);
  const map = useMapEvents({ moveend: () => setCentre(map.getCenter().lng) });
  // In the visible copy of the world.
  const lng = longitudeNear(position.longitude, centre);
  // A new array would move the marker back when something renders while it is being dragged.
  const at = useMemo<[number, number]>(() => [position.latitude, lng], [position.latitude, lng]);

  useEffect(() => {
    if (overSymbols) return;
    const scale = worldSize(map.getZoom());
    const disc = { x: worldX(lng) * scale, y: shownY(position.latitude) * scale, radius: SIZE / 2 };
    publishObstacles(map, { frame: { scale, left: 0, top: 0 }, discs: [disc], boxes: [] });
  }, [map, lng, position.latitude, overSymbols]);

  function moveByKey(event: KeyboardEvent): void {
    const direction = directions[event.key];
    if (readOnly || !direction) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? STEP.shift : STEP.plain;
    const point = map.project([position.latitude, lng]).add([direction[0] * step, direction[1] * step]);
    const to = map.unproject(point);
    map.panInside(to, { padding: [EDGE, EDGE], animate: false });
    onChange(positionAt(to));
  }

  return (
    <>
      <Marker
        position={at}
        icon={icon}
        draggable={!readOnly}
        keyboard={false}
        autoPan
        eventHandlers={{
          dragend: ({ target }: DragEndEvent) => onChange(positionAt((target as LeafletMarker).getLatLng())),
        }}
      />
      {createPortal(
        <div
          className="map-marker-hold"
          {...(readOnly
            ? { role: 'img', 'aria-label': name }
            : {
                role: 'application',
                tabIndex: 0,
                'aria-label': t.device.position_map.marker(name),
                onKeyDown: moveByKey,
              })}
        >
          <Symbol machine_type={machine_type} selected silent={isSilent} />
        </div>,
        element,
      )}
    </>
  );
}
