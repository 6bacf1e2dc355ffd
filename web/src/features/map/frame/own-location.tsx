import { divIcon } from 'leaflet';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Marker, useMapEvents } from 'react-leaflet';
import { t } from '../../../text/text.ts';
import { formatAccuracy, isExact } from '../../../ui/symbols/accuracy.ts';
import type { OwnPosition } from '../../../ui/browser/use-own-location.ts';
import { longitudeNear, metresPerPixel } from '../geometry/mercator.ts';
import './own-location.css';

/** In px: around the point, also where a symbol covers that. */
const leastArea = 60;

/** The user's location, below the symbols: a point, and a circle for its accuracy, which is a number too if the location is not exact. */
export function OwnLocation({ at: { latitude, longitude, accuracy } }: { at: OwnPosition }) {
  const [element] = useState(() => document.createElement('div'));
  const [icon] = useState(() => divIcon({ html: element, className: 'map-own', iconSize: [0, 0] }));
  const [, setView] = useState('');
  const map = useMapEvents({
    moveend: () => setView(map.getBounds().toBBoxString()),
  });
  // In the visible copy of the world.
  const lng = longitudeNear(longitude, map.getCenter().lng);
  const size = Math.max(leastArea, (2 * accuracy) / metresPerPixel({ latitude, zoom: map.getZoom() }));
  return (
    <>
      <Marker
        position={[latitude, lng]}
        icon={icon}
        interactive={false}
        keyboard={false}
        pane="overlayPane"
        // Below the canvases of this pane, wherever the map is moved.
        zIndexOffset={-1_000_000}
      />
      {createPortal(
        <>
          <span className="visually-hidden">{t.map.own_location}</span>
          <div className="map-own-area" style={{ inlineSize: size, blockSize: size }} />
          <div className="map-own-point" />
          {!isExact(accuracy) && (
            <div className="map-own-accuracy numbers">{t.map.own_accuracy(formatAccuracy(accuracy))}</div>
          )}
        </>,
        element,
      )}
    </>
  );
}
