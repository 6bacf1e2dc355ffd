import { Map as LeafletMap } from 'leaflet';
import { act, createRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SelectedSymbol } from '../symbols/scene.ts';
import { Uncovered, type Uncovering } from './uncovered.ts';

const size = { width: 800, height: 600 };
const insets = { top: 0, right: 0, bottom: 0, left: 0 };
const buoy: SelectedSymbol = {
  id: 'a',
  name: 'Buoy',
  machine_type: 'bug',
  position: { longitude: 10, latitude: 54 },
};

let map: LeafletMap;
let root: Root;
const handle = createRef<Uncovering>();

const boxOf = (left: number, top: number, width: number, height: number) => () => new DOMRect(left, top, width, height);

/** A card over the middle of the map, where the device is. */
function showCard() {
  const card = document.body.appendChild(document.createElement('section'));
  card.dataset['overMap'] = '';
  card.getBoundingClientRect = boxOf(300, 200, 300, 200);
}
const place = () => map.latLngToContainerPoint([54, 10]);

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div class="map"><div class="map-frame"></div></div><div id="page"></div>';
  const element = document.querySelector<HTMLElement>('.map-frame')!;
  Object.defineProperty(element, 'clientWidth', { value: size.width });
  Object.defineProperty(element, 'clientHeight', { value: size.height });
  element.getBoundingClientRect = boxOf(0, 0, size.width, size.height);
  map = new LeafletMap(element, { zoomAnimation: false }).setView([54, 10], 8);
  const panBy = map.panBy.bind(map);
  map.panBy = (by) => panBy(by, { animate: false });
  root = createRoot(document.querySelector('#page')!);
  await act(async () => root.render(<Uncovered handle={handle} map={map} insets={insets} selected={buoy} />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  map.remove();
});

test('a card that comes after the map, as on a page that is opened with it, does not cover its device', () => {
  expect(place()).toMatchObject({ x: 400, y: 300 });
  showCard();
  handle.current?.uncover();
  expect(place().x).toBeLessThan(300);
});

test('a map that moves is left alone until it rests', () => {
  map.fire('movestart');
  showCard();
  handle.current?.uncover();
  expect(place()).toMatchObject({ x: 400, y: 300 });
  map.fire('moveend');
  expect(place().x).toBeLessThan(300);
});
