import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import 'leaflet.markercluster/dist/MarkerCluster.css';
import 'leaflet.markercluster/dist/MarkerCluster.Default.css';
import { box, clusterRadius, maxZoom, start, type Peer } from './peer.ts';

// it adds itself to the `L` of the page
Object.assign(globalThis, { L });
await import('leaflet.markercluster');

/** Leaflet.markercluster in its fast order: the group on the map, then all markers at once. */
export function createPeer(): Peer {
  const map = L.map(box(), { center: [start.latitude, start.longitude], zoom: start.zoom, maxZoom });
  const group = L.markerClusterGroup({ maxClusterRadius: clusterRadius });
  let markers: L.Marker[] = [];
  return {
    async show(points) {
      map.addLayer(group);
      markers = Array.from({ length: points.length / 2 }, (_, at) => L.marker([points[at * 2 + 1]!, points[at * 2]!]));
      group.addLayers(markers);
    },
    async move(numbers, points) {
      const moved = numbers.map((number) => markers[number]!);
      group.removeLayers(moved);
      numbers.forEach((number, at) => markers[number]!.setLatLng([points[at * 2 + 1]!, points[at * 2]!]));
      group.addLayers(moved);
    },
  };
}
