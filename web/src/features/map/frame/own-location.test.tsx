import type { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MapContainer } from 'react-leaflet';
import { expect, test, vi } from 'vitest';
import { OwnLocation } from './own-location.tsx';

test('the own location is below the symbols, and seen around one that covers it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  let map: LeafletMap | null = null;
  await act(async () =>
    root.render(
      <MapContainer center={[54, 10]} zoom={3} ref={(made) => void (map = made)}>
        <OwnLocation at={{ latitude: 54, longitude: 10, accuracy: 20 }} />
      </MapContainer>,
    ),
  );
  const own = map!.getPane('overlayPane')!.querySelector<HTMLElement>('.map-own')!;
  expect(Number(own.style.zIndex)).toBeLessThan(-100_000);
  expect(own.querySelector<HTMLElement>('.map-own-area')!.style.inlineSize).toBe('60px');
  await act(async () => root.unmount());
  container.remove();
});
