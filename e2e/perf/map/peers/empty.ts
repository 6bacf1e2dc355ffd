import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { box, maxZoom, start, type Peer } from './peer.ts';

/** Leaflet with nothing on it: what a frame and a page cost without any device. */
export function createPeer(): Peer {
  L.map(box(), { center: [start.latitude, start.longitude], zoom: start.zoom, maxZoom });
  return { show: async () => {}, move: async () => {} };
}
