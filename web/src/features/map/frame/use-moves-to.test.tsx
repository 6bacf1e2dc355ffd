import { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { Position } from '@swarmdeck/bff/contract';
import { useMovesTo } from './use-moves-to.ts';

test.each([
  { when: 'the newest one is shown', keepsView: false, lat: 20 },
  { when: 'an older point is chosen, and not when it is left', keepsView: true, lat: 0 },
])('a new position out of view moves the map to latitude $lat while $when', async ({ keepsView, lat }) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientWidth', { get: () => 390 });
  Object.defineProperty(element, 'clientHeight', { get: () => 400 });
  const map = new LeafletMap(element).setView([0, 0], 14);
  const root = createRoot(document.createElement('div'));
  function Page({ position, isKept }: { position: Position; isKept: boolean }) {
    useMovesTo({ map, place: null, position, keepsView: isKept });
    return null;
  }
  const next = { latitude: 20, longitude: 0 };
  await act(async () => root.render(<Page position={{ latitude: 0, longitude: 0 }} isKept={keepsView} />));
  await act(async () => root.render(<Page position={next} isKept={keepsView} />));
  await act(async () => root.render(<Page position={next} isKept={false} />));
  expect(map.getCenter().lat).toBeCloseTo(lat, 3);
  await act(async () => root.unmount());
  map.remove();
});
