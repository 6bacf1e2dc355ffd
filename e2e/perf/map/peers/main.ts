/** `?peer=NAME`: one map of the benchmark. Fetches all devices, shows them, and reports times on `bench`. */
import { painted, type Peer } from './peer.ts';

const peers: Record<string, () => Promise<{ createPeer(): Peer }>> = {
  empty: () => import('./empty.ts'),
  markercluster: () => import('./markercluster.ts'),
  supercluster: () => import('./supercluster.ts'),
  maplibre: () => import('./maplibre.ts'),
};

export interface PeerBench {
  /** From navigation, in ms. */
  shown: number;
  /** From the arrival of the data, in ms. */
  fromData: number;
  /** Moves `count` devices. Resolves with the times until the moves are drawn and visible, in ms. */
  move(count: number): Promise<{ drawn: number; seen: number }>;
}

const name = new URLSearchParams(location.search).get('peer') ?? 'empty';
const { createPeer } = await peers[name]!();
const peer = createPeer();
const points = new Float64Array(await (await fetch('/points.bin')).arrayBuffer());
const many = points.length / 2;
const inHand = performance.now();
await peer.show(points.slice());
await painted();
const shown = performance.now();

let next = 0;
const bench: PeerBench = {
  shown,
  fromData: shown - inHand,
  async move(count) {
    const numbers = Array.from({ length: Math.min(count, many) }, () => next++ % many);
    const places = numbers.flatMap((number) => [
      points[number * 2]! + Math.random() - 0.5,
      points[number * 2 + 1]! + Math.random() - 0.5,
    ]);
    const from = performance.now();
    await peer.move(numbers, Float64Array.from(places));
    const drawn = performance.now() - from;
    await painted();
    return { drawn, seen: performance.now() - from };
  },
};
Object.assign(globalThis, { bench });
