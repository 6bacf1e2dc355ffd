import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import type { ReactNode, Ref } from 'react';
import { MapContainer, useMap } from 'react-leaflet';
import { BasemapLayer } from '../basemap/basemap-layer.ts';
import { prefersReducedMotion } from '../canvas/motion.ts';
import { usePalette } from '../canvas/use-palette.ts';
import { MAX_ZOOM, ZOOM_SNAP } from '../geometry/view.ts';
import type { View } from '../geometry/view.ts';
import { LateParts } from './late-parts.tsx';
import './leaflet.css';

/** The Leaflet map with the built-in basemap. What it shows is said to assistive technology by `label`. */
export function MapFrame({
  ref,
  label,
  view,
  busy = false,
  children,
}: {
  ref: Ref<LeafletMap>;
  label: string;
  view: View;
  /** What it is opened for is still on its way: names and tiles wait. */
  busy?: boolean;
  children?: ReactNode;
}) {
  const palette = usePalette();
  return (
    <MapContainer
      ref={ref}
      className="map-frame"
      center={[view.lat, view.lng]}
      zoom={view.zoom}
      maxZoom={MAX_ZOOM}
      zoomSnap={ZOOM_SNAP}
      wheelPxPerZoomLevel={90}
      zoomControl={false}
      attributionControl={false}
      fadeAnimation={false}
      zoomAnimation={!prefersReducedMotion()}
      inertia={!prefersReducedMotion()}
    >
      <BasemapLayer palette={palette} />
      {!busy && <LateParts palette={palette} />}
      <Upkeep label={label} />
      {children}
    </MapContainer>
  );
}

function Upkeep({ label }: { label: string }) {
  const map = useMap();
  useEffect(() => {
    const container = map.getContainer();
    container.tabIndex = 0;
    // arrow keys and +/- are the map's own: a screen reader must hand them through
    container.role = 'application';
    container.ariaLabel = label;
  }, [map, label]);
  useEffect(() => {
    const container = map.getContainer();
    // Leaflet focuses the map by script when it is pressed, which browsers take for the keyboard's doing
    const mark = ({ type }: Event) => container.classList.toggle('map-by-pointer', type === 'pointerdown');
    const events = ['pointerdown', 'keydown', 'blur'];
    for (const event of events) container.addEventListener(event, mark, { capture: true });
    return () => {
      for (const event of events) container.removeEventListener(event, mark, { capture: true });
    };
  }, [map]);
  useEffect(() => {
    // Leaflet watches the window alone, but the page moves its panels too
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = map.getContainer();
      // without a change it would still forget its exact centre
      if (!map.getSize().equals([clientWidth, clientHeight])) map.invalidateSize({ debounceMoveend: true });
    });
    observer.observe(map.getContainer());
    return () => observer.disconnect();
  }, [map]);
  return null;
}
