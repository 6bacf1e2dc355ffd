import type { Position } from '@swarmdeck/bff/contract';
import { divIcon } from 'leaflet';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Marker, useMapEvents } from 'react-leaflet';
import { longitudeNear, metresPerPixel } from '../geometry/mercator.ts';
import './accuracy-area.css';
import { SELECTED } from './symbol-shapes.ts';

interface AccuracyAreaProps {
  position: Position;
  /** In metres. */
  accuracy: number;
}

/** The circle in which a device is, if it is larger than its symbol. Lazily loaded. */
export function AccuracyArea({ position: { latitude, longitude }, accuracy }: AccuracyAreaProps) {
  const [element] = useState(() => document.createElement('div'));
  const [icon] = useState(() => divIcon({ html: element, className: 'map-accuracy', iconSize: [0, 0] }));
  const [, setView] = useState('');
  const map = useMapEvents({ moveend: () => setView(map.getBounds().toBBoxString()) });
  // In the visible copy of the world.
  const lng = longitudeNear(longitude, map.getCenter().lng);
  const size = (2 * accuracy) / metresPerPixel({ latitude, zoom: map.getZoom() });
  return (
    <>
      <Marker position={[latitude, lng]} icon={icon} interactive={false} keyboard={false} zIndexOffset={-10_000} />
      {createPortal(
        size > 2 * SELECTED.radius && (
          <div className="map-accuracy-area" style={{ inlineSize: size, blockSize: size }} />
        ),
        element,
      )}
    </>
  );
}
