/** What a map can do without for a moment: it loads once the devices and the land are there. */
import { BoxZoom } from 'leaflet/src/map/handler/Map.BoxZoom.js';
import { useEffect, type ComponentProps } from 'react';
import { useMap } from 'react-leaflet';
import { Names } from '../names/names-layer.ts';
import { ScaleBar } from './scale-bar.tsx';

/** The names, the scale, and zooming to a box that is drawn with Shift. */
export function MapExtras(names: ComponentProps<typeof Names>) {
  const map = useMap();
  useEffect(() => {
    // Maps that are made after it has loaded have it.
    if (!map.boxZoom) map.addHandler('boxZoom', BoxZoom);
  }, [map]);
  return (
    <>
      <Names {...names} />
      <ScaleBar />
    </>
  );
}
