import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import type { ReactNode, Ref } from 'react';
import { MapContainer, useMap } from 'react-leaflet';
import { BasemapLayer } from '../basemap/basemap-layer.ts';
import { prefersReducedMotion } from '../../../ui/media.ts';
import { useMapColours } from '../canvas/use-map-colours.ts';
import { MAX_ZOOM, ZOOM_SNAP } from '../geometry/view.ts';
import type { View } from '../geometry/view.ts';
import { LazyLayers } from './lazy-layers.tsx';
import './leaflet.css';

/** A Leaflet map with the built-in basemap. `label` is its accessible name. */
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
  /** The devices are loading: names and tiles wait. */
  busy?: boolean;
  children?: ReactNode;
}) {
  const colours = useMapColours();
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
      <BasemapLayer colours={colours} />
      {!busy && <LazyLayers colours={colours} />}
      <ContainerSetup label={label} />
      {children}
    </MapContainer>
  );
}

/** What the container needs besides Leaflet: accessibility, focus styles and its size. */
function ContainerSetup({ label }: { label: string }) {
  const map = useMap();
  useEffect(() => {
    const container = map.getContainer();
    container.tabIndex = 0;
    // The map handles arrow keys and +/-, so a screen reader must pass them through.
    container.role = 'application';
    container.ariaLabel = label;
  }, [map, label]);
  useEffect(() => {
    const container = map.getContainer();
    // Leaflet focuses the map by script on a press, for which browsers set :focus-visible.
    const noteInput = ({ type }: Event) => container.classList.toggle('map-by-pointer', type === 'pointerdown');
    const events = ['pointerdown', 'keydown', 'blur'];
    for (const event of events) container.addEventListener(event, noteInput, { capture: true });
    return () => {
      for (const event of events) container.removeEventListener(event, noteInput, { capture: true });
    };
  }, [map]);
  useEffect(() => {
    // Leaflet observes only the window, but the page also resizes the map.
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = map.getContainer();
      // Without a change of size it would lose its exact centre.
      if (!map.getSize().equals([clientWidth, clientHeight])) map.invalidateSize({ debounceMoveend: true });
    });
    observer.observe(map.getContainer());
    return () => observer.disconnect();
  }, [map]);
  return null;
}
