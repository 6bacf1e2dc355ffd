import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { box, maxZoom, start, type Peer } from './peer.ts';
import type { RequestOptions } from './supercluster.worker.ts';

/** supercluster in a worker, its clusters on a canvas over Leaflet. Every move rebuilds the index. */
export function createPeer(): Peer {
  const map = L.map(box(), { center: [start.latitude, start.longitude], zoom: start.zoom, maxZoom });
  const worker = new Worker(new URL('./supercluster.worker.ts', import.meta.url), { type: 'module' });
  const canvas = document.createElement('canvas');
  map.getPane('overlayPane')!.append(canvas);
  let clusters: [number, number, number][] = [];

  function draw() {
    const { x, y } = map.getSize();
    canvas.width = x;
    canvas.height = y;
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    const context = canvas.getContext('2d')!;
    context.font = '12px sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [longitude, latitude, count] of clusters) {
      const { x: left, y: top } = map.latLngToContainerPoint([latitude, longitude]);
      context.fillStyle = '#0f766e';
      context.beginPath();
      context.arc(left, top, count > 1 ? 16 : 6, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = '#fff';
      if (count > 1) context.fillText(String(count), left, top);
    }
  }

  const waiting: (() => void)[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<typeof clusters>) => {
    clusters = data;
    draw();
    waiting.shift()?.();
  });
  async function request(change: Pick<RequestOptions, 'points' | 'numbers'>) {
    const bounds = map.getBounds().pad(0.25);
    const bbox: RequestOptions['bbox'] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
    const answered = new Promise<void>((resolve) => waiting.push(resolve));
    worker.postMessage({ ...change, bbox, zoom: Math.round(map.getZoom()) } satisfies RequestOptions);
    await answered;
  }
  map.on('move', draw);
  map.on('moveend', () => void request({}));
  return {
    show: (points) => request({ points }),
    move: (numbers, points) => request({ numbers, points }),
  };
}
