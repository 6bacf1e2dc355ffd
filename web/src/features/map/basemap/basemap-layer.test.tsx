import { Map as LeafletMap } from 'leaflet';
import { createLeafletContext, LeafletContext } from '@react-leaflet/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import type { MapColours } from '../canvas/map-colours.ts';
import { BasemapLayer } from './basemap-layer.ts';
import type { World } from './world.ts';

const source = vi.hoisted(() => ({ world: null as World | null, notify: () => {} }));
vi.mock('./world.load.ts', () => ({
  worldSource: {
    within: () => (source.world ? [source.world] : []),
    watersWithin: () => [],
    subscribe: (listener: () => void) => ((source.notify = listener), () => {}),
  },
}));
const drawBasemap = vi.hoisted(() => vi.fn<() => void>());
vi.mock('./basemap.draw.ts', () => ({ drawBasemap }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('before the land is loaded nothing is drawn, so that it is not shown as sea', async () => {
  const context = { scale() {} } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context);
  const element = document.createElement('div');
  Object.defineProperties(element, { clientWidth: { value: 512 }, clientHeight: { value: 512 } });
  const map = new LeafletMap(element, { fadeAnimation: false, zoomAnimation: false }).setView([54, 10], 5);
  const { unmount } = await mountPart(
    <LeafletContext value={createLeafletContext(map)}>
      <BasemapLayer colours={{} as MapColours} />
    </LeafletContext>,
  );
  const tiles = () => [...element.querySelectorAll<HTMLCanvasElement>('canvas.map-tile')];
  await vi.advanceTimersByTimeAsync(1000);
  expect(tiles().length).toBeGreaterThan(3);
  expect(drawBasemap).not.toHaveBeenCalled();
  source.world = {} as World;
  source.notify();
  await vi.advanceTimersByTimeAsync(1000);
  expect(drawBasemap).toHaveBeenCalledTimes(tiles().length);
  await unmount();
  map.remove();
});
