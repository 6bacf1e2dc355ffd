import { GeoJSONSource, Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { box, clusterRadius, maxZoom, start, type Peer } from './peer.ts';

type Point = GeoJSON.Feature<GeoJSON.Point, object>;

/** MapLibre's own clustered source. Without a graphics card its WebGL is drawn by the processor. */
export function createPeer(): Peer {
  setWorkerUrl(workerUrl);
  const map = new MapLibreMap({
    container: box(),
    center: [start.longitude, start.latitude],
    zoom: start.zoom - 1,
    attributionControl: false,
    style: {
      version: 8,
      sources: {},
      layers: [{ id: 'sea', type: 'background', paint: { 'background-color': '#d3e3ea' } }],
    },
  });
  const loaded = new Promise<void>((resolve) => map.once('load', () => resolve()));
  const idle = () => new Promise<void>((resolve) => map.once('idle', () => resolve()));
  const pointAt = (id: number, longitude: number, latitude: number): Point => ({
    type: 'Feature',
    id,
    properties: {},
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  });
  return {
    async show(points) {
      await loaded;
      const features = Array.from({ length: points.length / 2 }, (_, at) =>
        pointAt(at, points[at * 2]!, points[at * 2 + 1]!),
      );
      map.addSource('devices', {
        type: 'geojson',
        data: { type: 'FeatureCollection', features },
        cluster: true,
        clusterRadius,
        clusterMaxZoom: maxZoom - 1,
      });
      const paint = { 'circle-radius': 14, 'circle-color': '#0f766e' };
      map.addLayer({ id: 'devices', type: 'circle', source: 'devices', paint });
      await idle();
    },
    async move(numbers, points) {
      const source = map.getSource('devices');
      if (!(source instanceof GeoJSONSource)) throw new TypeError('the source is not there');
      const drawn = idle();
      await source.updateData({
        update: numbers.map((id, at) => ({
          id,
          newGeometry: pointAt(id, points[at * 2]!, points[at * 2 + 1]!).geometry,
        })),
      });
      await drawn;
    },
  };
}
