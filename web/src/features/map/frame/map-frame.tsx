import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode, type Ref } from 'react';
import { MapContainer, useMap } from 'react-leaflet';
import { BasemapLayer } from '../basemap/basemap-layer.ts';
import { prefersReducedMotion } from '../../../ui/browser/media.ts';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import { useMapColours } from '../canvas/map-colours.ts';
import { MAX_ZOOM, ZOOM_SNAP, type Insets, type View } from '../geometry/view.ts';
import './handlers.ts';
import './leaflet.css';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { MapTiles, useMapTiles } from '../tiles/offered-tiles.ts';
import { tiledPartOf } from '../tiles/tiled-part.ts';
import { worldSource } from '../basemap/world.load.ts';

interface MapFrameProps {
  ref: Ref<LeafletMap>;
  label: string;
  view: View;
  insets: Insets;
  /** The devices are loading: names, tiles and the scale wait for them, and for the land. */
  busy?: boolean;
  children?: ReactNode;
}

/** A Leaflet map with the built-in basemap. `label` is its accessible name. */
export function MapFrame({ ref, label, view, insets, busy = false, children }: MapFrameProps) {
  const colours = useMapColours();
  const hasLand = useSyncExternalStore(worldSource.subscribe, () => worldSource.at(0) !== null);
  // Requested while the devices load.
  const tiles = useMapTiles();
  const tiledPart = useMemo(() => tiledPartOf(tiles), [tiles]);
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
      {hasLand && !busy && (
        <>
          <MapExtras colours={colours} insets={insets} tiled={tiledPart} />
          {tiles !== undefined && <MapTiles source={tiles} colours={colours} />}
        </>
      )}
      <ContainerSetup label={label} />
      {children}
    </MapContainer>
  );
}

/** Leaflet has no option for this. Its arrow keys would pan with an animation. */
function panWithoutAnimation(map: LeafletMap) {
  const panBy = map.panBy.bind(map);
  map.panBy = (offset, options) => panBy(offset, { ...options, animate: false });
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
    if (prefersReducedMotion()) panWithoutAnimation(map);
  }, [map]);
  useEventListener(
    map.getContainer(),
    ['pointerdown', 'keydown', 'blur'],
    // Leaflet focuses the map by script on a press, for which browsers set :focus-visible.
    ({ type }) => map.getContainer().classList.toggle('map-by-pointer', type === 'pointerdown'),
    { capture: true },
  );
  useEffect(() => {
    // Leaflet observes only the window, but the page also resizes the map.
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = map.getContainer();
      // It is hidden, as while another part of the page is printed. No view fits into nothing.
      if (clientWidth === 0 || clientHeight === 0) return;
      // Without a change of size it would lose its exact centre.
      if (!map.getSize().equals([clientWidth, clientHeight])) map.invalidateSize({ debounceMoveend: true });
    });
    observer.observe(map.getContainer());
    return () => observer.disconnect();
  }, [map]);
  return null;
}

const MapExtras = lazyPart(async () => (await import('./map-extras.tsx')).MapExtras);
