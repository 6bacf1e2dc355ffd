import type { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MapContainer } from 'react-leaflet';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { OwnLocation } from './own-location.tsx';

beforeAll(() => loadTexts('en'));

/** The location on a map with this accuracy, in metres. */
async function showOwn(accuracy: number) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  let map: LeafletMap | null = null;
  await act(async () =>
    root.render(
      <MapContainer center={[54, 10]} zoom={3} ref={(made) => void (map = made)}>
        <OwnLocation at={{ latitude: 54, longitude: 10, accuracy }} />
      </MapContainer>,
    ),
  );
  const unmount = async () => {
    await act(async () => root.unmount());
    container.remove();
  };
  return { own: map!.getPane('overlayPane')!.querySelector<HTMLElement>('.map-own')!, unmount };
}

test('the own location is below the symbols, and seen around one that covers it', async () => {
  const { own, unmount } = await showOwn(20);
  expect(Number(own.style.zIndex)).toBeLessThan(-100_000);
  expect(own.querySelector<HTMLElement>('.map-own-area')!.style.inlineSize).toBe('60px');
  await unmount();
});

test.each([
  { accuracy: 100, shown: '' },
  { accuracy: 9000, shown: '± 9,000 m' },
])('an accuracy of $accuracy m is shown as "$shown"', async ({ accuracy, shown }) => {
  const { own, unmount } = await showOwn(accuracy);
  expect(own.querySelector('.map-own-accuracy')?.textContent ?? '').toBe(shown);
  await unmount();
});
