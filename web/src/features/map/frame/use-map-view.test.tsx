import { Map as LeafletMap } from 'leaflet';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { useFirstView, useViewSettled } from './use-map-view.ts';
import type { SettledView } from '../../../ui/urls/map-view-url.ts';
import type { Bbox } from '../geometry/view.ts';

afterEach(() => void vi.useRealTimers());

const insets = { top: 0, right: 0, bottom: 0, left: 0 };

test('a settled view is reported to the handler of the latest render', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const map = new LeafletMap(document.createElement('div')).setView([54, 10], 8);
  const [before, after] = [vi.fn<() => void>(), vi.fn<() => void>()];
  function Page({ onView }: { onView: () => void }) {
    useViewSettled({ map, insets, onView });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<Page onView={before} />));
  await act(async () => vi.runOnlyPendingTimers());
  before.mockClear();

  map.setView([50, 17], 8, { animate: false });
  await act(async () => root.render(<Page onView={after} />));
  await act(async () => vi.runOnlyPendingTimers());

  expect(before).not.toHaveBeenCalled();
  expect(after).toHaveBeenCalledWith(expect.objectContaining({ lat: 50, lng: 17 }));
});

const aero = [10.3, 54.8, 10.5, 54.9] as Bbox;
const withGreenland = [-40, 54.8, 10.5, 68.7] as Bbox;

/** A wall of this size, whose devices have these bounds. */
async function openWall(keptFree = { top: 0, bottom: 0 }) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const container = document.createElement('div');
  Object.defineProperties(container, { clientWidth: { value: 1440 }, clientHeight: { value: 900 } });
  const map = new LeafletMap(container).setView([25, 10], 2);
  const views: SettledView[] = [];
  function Wall({ bounds }: { bounds: Bbox | null }) {
    const [seen, setSeen] = useState<Bbox | null>(null);
    const fallback = { lat: 25, lng: 10, zoom: 2 };
    const isFitted = useFirstView({
      map,
      insets,
      initialView: null,
      bounds,
      seen,
      oneWorld: true,
      keptFree,
      fallback,
      onOpen: () => {},
    });
    useViewSettled({
      map,
      insets,
      least: { oneWorld: true, bounds, keptFree },
      onView: (view) => {
        setSeen(view.bbox);
        views.push({ ...view, isFitted: isFitted.current });
      },
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  return {
    map,
    view: () => views.at(-1),
    async show(bounds: Bbox | null) {
      await act(async () => root.render(<Wall bounds={bounds} />));
      await act(async () => vi.runOnlyPendingTimers());
    },
    sees: ([west, south, east, north]: Bbox) =>
      map.getBounds().contains([
        [south, west],
        [north, east],
      ]),
  };
}

test('until it is moved, a wall shows all, also the devices that come later', async () => {
  const wall = await openWall();
  await wall.show(null);
  await wall.show(aero);
  expect(wall.view()).toMatchObject({ zoom: 13, isFitted: true });
  await wall.show(withGreenland);
  expect(wall.sees(withGreenland)).toBe(true);
  const all = wall.view();
  await wall.show(aero);
  expect(wall.view(), 'what leaves does not move it').toEqual(all);
  await wall.show([...withGreenland]);
  expect(wall.view(), 'nor what comes in view').toEqual(all);
});

test('a view of all devices keeps free where something may appear', async () => {
  for (const bounds of [aero, withGreenland, [-120, -40, 150, 65] as Bbox]) {
    const wall = await openWall({ top: 0, bottom: 125 });
    await wall.show(bounds);
    const { y } = wall.map.latLngToContainerPoint([bounds[1], bounds[0]]);
    // with half a symbol
    expect(y).toBeLessThanOrEqual(900 - 125 - 12);
  }
});

test('a wall whose only device was in its centre moves when others come where something may cover them', async () => {
  const wall = await openWall({ top: 0, bottom: 125 });
  await wall.show([13.4, 54.3, 13.4, 54.3]);
  const southernmost = (bounds: Bbox) => wall.map.latLngToContainerPoint([bounds[1], bounds[0]]).y;
  const [inView, covered] = [
    [13.4, 53, 13.4, 54.3],
    [13.4, 51.9, 13.4, 54.3],
  ] as [Bbox, Bbox];
  const before = wall.view();
  await wall.show(inView);
  expect(wall.view()).toEqual(before);
  expect([wall.sees(covered), southernmost(covered) > 900 - 125]).toEqual([true, true]);
  await wall.show(covered);
  expect(southernmost(covered)).toBeLessThanOrEqual(900 - 125 - 12);
});

test('a wall shows the world once, and twice only if a device would be out of view', async () => {
  const wall = await openWall();
  await wall.show(null);
  const worlds = () => 1440 / (256 * 2 ** wall.map.getMinZoom());
  expect(worlds()).toBeLessThanOrEqual(1);
  await wall.show([-179, -80, 179, 80]);
  expect(worlds()).toBeGreaterThan(1);
});

test('a wall that somebody has moved stays where it is', async () => {
  const wall = await openWall();
  await wall.show(aero);
  await act(async () => wall.map.setView([54, 10], 9, { animate: false }));
  await wall.show(withGreenland);
  expect(wall.view()).toMatchObject({ lat: 54, lng: 10, zoom: 9, isFitted: false });
});
