import type { Position } from '@swarmdeck/bff/contract';
import { Map as LeafletMap } from 'leaflet';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useKeptPlace } from './use-kept-place.ts';
import { useViewSettled } from './use-map-view.ts';
import { usePinnedPlace } from './use-pinned-place.ts';

const open = { top: 0, right: 0, bottom: 0, left: 0 };
const upright = { width: 390, height: 400 };
const turned = { width: 844, height: 301 };
const settled = 1000;

let map: LeafletMap;
let size: { width: number; height: number };
let root: Root;
const render = vi.fn<(pin: ReturnType<typeof usePinnedPlace>, position: Position | null) => void>();
const pin = () => render.mock.lastCall![0];
const position = () => render.mock.lastCall![1];

function Page({ enabled }: { enabled: boolean }) {
  const [position, setPosition] = useState<Position | null>(null);
  const pin = usePinnedPlace({ map, enabled, position, onChange: setPosition });
  render(pin, position);
  useViewSettled({ map, insets: open, onView: pin.settle });
  useKeptPlace({ map, insets: open, enabled });
  return null;
}

const show = ({ enabled }: { enabled: boolean }) => act(async () => root.render(<Page enabled={enabled} />));
const settle = () => act(async () => void vi.advanceTimersByTime(settled));
async function turn(to: typeof upright) {
  size = to;
  await act(async () => map.invalidateSize());
  await settle();
}
const drag = () => act(async () => map.panBy([60, 20], { animate: false }));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.useFakeTimers();
  size = upright;
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientWidth', { get: () => size.width });
  Object.defineProperty(element, 'clientHeight', { get: () => size.height });
  map = new LeafletMap(element, { zoomSnap: 0.25 }).setView([30, 10], 5);
  root = createRoot(document.createElement('div'));
  await show({ enabled: false });
  await settle();
  await show({ enabled: true });
});
afterEach(async () => {
  await act(async () => root.unmount());
  map.remove();
  vi.useRealTimers();
});

test('nobody has chosen the first place under the pin: turning the phone and zooming write no position', async () => {
  for (const to of [turned, upright]) await turn(to);
  await act(async () => map.setZoom(7, { animate: false }));
  await settle();
  expect(position()).toBeNull();
  await drag();
  await settle();
  expect(position()?.longitude).toBeGreaterThan(10);
  const chosen = position();
  for (const to of [turned, upright]) await turn(to);
  expect(position()).toBe(chosen);
});

test('a tap on the first place chooses it', async () => {
  pin().choose();
  await act(async () => map.setView([30, 10], 6, { animate: false }));
  await settle();
  expect(position()).toEqual({ latitude: 30, longitude: 10 });
});

test('only while a place is chosen, a map zooms around its centre', async () => {
  expect(map.options.touchZoom).toBe('center');
  await show({ enabled: false });
  expect(map.options.touchZoom).not.toBe('center');
  await drag();
  await settle();
  expect(position()).toBeNull();
});
