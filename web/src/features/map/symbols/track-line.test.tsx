import type { Map as LeafletMap } from 'leaflet';
import { act, createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { MapContainer } from 'react-leaflet';
import { expect, it, onTestFinished } from 'vitest';
import { stubBrowser } from '../../../ui/mounted.fixture.tsx';
import { lineOf, TrackLine } from './track-line.tsx';

it('a track across the antimeridian is one short line that ends where the device is', () => {
  const points = [179.9, -179.9, 179.8].map((longitude, latitude) => ({ longitude, latitude }));
  const longitudes = lineOf(points).map(([, longitude]) => Number(longitude.toFixed(1)));
  expect(longitudes).toEqual([179.9, 180.1, 179.8]);
  expect(lineOf([])).toEqual([]);
});

it.each([
  ['shows a long one whole', true, 30, [20, 4]],
  ['is near enough to read a short one, and shows its streets', true, 10.001, [10.0005, 13]],
  ['stays where the user has moved it', false, 30, [10, 7]],
] as const)('a map with a track %s', async (_, fits, east, [centre, zoom]) => {
  stubBrowser();
  for (const side of ['clientWidth', 'clientHeight']) {
    Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => 400 });
    onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, side));
  }
  const point = (longitude: number) => ({ at: '2026-11-30T10:00:00.000Z', latitude: 54, longitude });
  const map = createRef<LeafletMap>();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <MapContainer ref={map} center={[54, 10]} zoom={7}>
        <TrackLine points={[point(10), point(east)]} end={undefined} chosen={null} fits={fits} />
      </MapContainer>,
    ),
  );
  expect(map.current!.getCenter().lng).toBeCloseTo(centre, 3);
  expect(map.current!.getZoom()).toBe(zoom);
  await act(async () => root.unmount());
});
