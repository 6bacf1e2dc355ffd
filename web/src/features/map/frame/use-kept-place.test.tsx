import { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Insets } from '../geometry/view.ts';
import { createMapNavigation, freeCentre, limitZoom, showView } from './free-view.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { useViewSettled } from './use-map-view.ts';

const upright = { width: 390, height: 400, insets: { top: 0, right: 0, bottom: 120, left: 0 } };
const turned = { width: 844, height: 301, insets: { top: 0, right: 0, bottom: 0, left: 333 } };
const place = { lat: 53.55, lng: 9.99, zoom: 12 };

let map: LeafletMap;
let size: { width: number; height: number };
let root: Root;

function Page({ insets, enabled }: { insets: Insets; enabled: boolean }) {
  useViewSettled({ map, insets });
  useKeptPlace({ map, insets, enabled });
  return null;
}

async function show(state: typeof upright, { enabled = true } = {}) {
  size = state;
  await act(async () => map.invalidateSize());
  await act(async () => root.render(<Page insets={state.insets} enabled={enabled} />));
}
const underPin = (insets: Insets) => freeCentre({ map, insets });

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  size = upright;
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientWidth', { get: () => size.width });
  Object.defineProperty(element, 'clientHeight', { get: () => size.height });
  map = new LeafletMap(element, { zoomSnap: 0.25 }).setView([0, 0], 8);
  root = createRoot(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => root.unmount());
  map.remove();
});

test('the place under the pin stays when the phone is turned and turned back, as often as one likes', async () => {
  await show(upright);
  await act(async () => showView({ map, insets: upright.insets, view: place, exact: true }));
  for (let times = 0; times < 5; times++) {
    await show(turned);
    expect(underPin(turned.insets).lat).toBeCloseTo(place.lat, 9);
    expect(underPin(turned.insets).lng).toBeCloseTo(place.lng, 9);
    await show(upright);
    expect(underPin(upright.insets).lat).toBeCloseTo(place.lat, 9);
    expect(underPin(upright.insets).lng).toBeCloseTo(place.lng, 9);
  }
});

test('an opened keyboard and a panel that grows do not move it, and the user does', async () => {
  await show(upright);
  await act(async () => showView({ map, insets: upright.insets, view: place, exact: true }));
  const withKeyboard = { width: 390, height: 215, insets: { ...upright.insets, bottom: 101 } };
  await show(withKeyboard);
  expect(underPin(withKeyboard.insets).lat).toBeCloseTo(place.lat, 9);
  await act(async () => map.panBy([30, -20], { animate: false }));
  const moved = underPin(withKeyboard.insets);
  expect(moved.lng).toBeGreaterThan(place.lng);
  await show(upright);
  expect(underPin(upright.insets).lat).toBeCloseTo(moved.lat, 9);
  expect(underPin(upright.insets).lng).toBeCloseTo(moved.lng, 9);
});

test('a map that was sent to a place before there was a pin shows it under the pin, with other panels', async () => {
  await show(upright, { enabled: false });
  const { flyTo } = createMapNavigation({ map, insets: upright.insets, bounds: null, leave: () => {} });
  await act(async () => flyTo({ latitude: place.lat, longitude: place.lng }));
  for (const state of [{ ...upright, insets: { ...upright.insets, bottom: 0 } }, turned, upright]) {
    await show(state);
    expect(underPin(state.insets).lat).toBeCloseTo(place.lat, 9);
    expect(underPin(state.insets).lng).toBeCloseTo(place.lng, 9);
  }
  await act(async () => map.panBy([30, -20], { animate: false }));
  const moved = underPin(upright.insets);
  expect(moved.lng).toBeGreaterThan(place.lng);
  await show(turned);
  expect(underPin(turned.insets).lng).toBeCloseTo(moved.lng, 9);
});

test('a map on its way to a place gets there, also if its least zoom or its panels change on the way', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  // A flight begins by zooming out.
  vi.spyOn(map, 'flyTo').mockImplementation(() => {
    map.fire('movestart');
    return map.setZoom(5, { animate: false });
  });
  await show(upright, { enabled: false });
  const { flyTo } = createMapNavigation({ map, insets: upright.insets, bounds: null, leave: () => {} });
  flyTo({ latitude: place.lat, longitude: place.lng });
  expect(map.getZoom()).toBe(5);
  const insets = { ...upright.insets, bottom: 40 };
  limitZoom({ map, insets, size: { x: 40_000, y: 40_000 } });
  await show({ ...upright, insets });
  // Less than a pixel.
  expect(underPin(insets).lat).toBeCloseTo(place.lat, 3);
  expect(underPin(insets).lng).toBeCloseTo(place.lng, 3);
});

test('a map without a pin keeps what it shows when a panel changes', async () => {
  await show(upright, { enabled: false });
  await act(async () => showView({ map, insets: upright.insets, view: place, exact: true }));
  const centre = map.getCenter();
  await show({ ...upright, insets: { ...upright.insets, bottom: 200 } }, { enabled: false });
  expect(map.getCenter().lat).toBeCloseTo(centre.lat, 3);
});
