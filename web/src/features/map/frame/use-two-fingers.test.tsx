import { Handler, Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTwoFingers } from './use-two-fingers.ts';

const element = document.createElement('div');
const page = document.createElement('div');
let map: LeafletMap;
let root: Root;

function Hint() {
  return useTwoFingers({ map, enabled: true }) && 'Use two fingers';
}

/** One finger or more are moved over this part of the map. */
const move = (target: Element, fingers = 1) =>
  act(async () => {
    const touches = Array.from({ length: fingers });
    target.dispatchEvent(Object.assign(new Event('touchmove', { bubbles: true }), { touches }));
  });

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  map = new LeafletMap(element).setView([0, 0], 3);
  map.dragging ??= new Handler(map);
  root = createRoot(page);
  await act(async () => root.render(<Hint />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  map.remove();
  vi.useRealTimers();
});

test('one finger on the map says for a moment that two move it, and one on the marker does not', async () => {
  await move(element);
  expect(page.textContent).toBe('Use two fingers');
  await act(async () => void vi.advanceTimersByTime(2000));
  expect(page.textContent).toBe('');
  const marker = element.appendChild(document.createElement('div'));
  marker.className = 'leaflet-marker-draggable';
  await move(marker.appendChild(document.createElement('span')));
  expect(page.textContent).toBe('');
  await move(element, 2);
  expect(page.textContent).toBe('');
});
