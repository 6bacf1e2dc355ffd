import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useMapUrlView } from './map-view-url.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** Null: to all. */
const zooms: (number | null)[] = [];
let leave: ReturnType<typeof useMapUrlView> = () => undefined;
let render: (text: string | null) => void = () => undefined;
let unmount = () => {};
beforeEach(() => {
  zooms.length = 0;
  history.replaceState(null, '', '/');
  const root = createRoot(document.createElement('div'));
  render = (text) => act(() => root.render(<Probe text={text} give={(given) => (leave = given)} />));
  unmount = () => act(() => root.unmount());
});
afterEach(() => unmount());

function Probe({ text, give }: { text: string | null; give(leave: ReturnType<typeof useMapUrlView>): void }) {
  const leaveAt = useMapUrlView({ text, write: address, go: (place) => zooms.push(place?.zoom ?? null) });
  useEffect(() => {
    give(leaveAt);
  });
  return null;
}
const address = (text: string) => history.replaceState(null, '', `/?map=${text}`);

test('the initial URL and the URL of the map’s own moves do not move the map', () => {
  address('3/1/2');
  render('3/1/2');
  leave({ zoom: 4, lat: 1, lng: 2 });
  render('4/1/2');
  expect(zooms).toEqual([]);
});

test('a URL that the page or Back sets moves the map', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2 });
  render('4/1/2');
  address('7/1/2');
  render('7/1/2');
  leave({ zoom: 7, lat: 1, lng: 2 });
  address('4/1/2');
  render('4/1/2');
  expect(zooms).toEqual([7, 4]);
});

test('a render with an older URL does not move the map back', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2 });
  leave({ zoom: 5, lat: 1, lng: 2 });
  render('4/1/2');
  render('5/1/2');
  expect(zooms).toEqual([]);
});

test('a map that settles before it receives a new URL moves there and keeps that URL', () => {
  address('3/1/2');
  render('3/1/2');
  address('7/1/2');
  leave({ zoom: 3, lat: 1, lng: 2 });
  expect(zooms).toEqual([7]);
  expect(location.search).toBe('?map=7/1/2');
  render('7/1/2');
  leave({ zoom: 7, lat: 1, lng: 2 });
  expect(zooms).toEqual([7]);
});

test('a URL that is set before the map exists moves the map when it exists', () => {
  address('3/1/2');
  render('3/1/2');
  address('7/1/2');
  render('7/1/2');
  expect(zooms).toEqual([]);
  leave({ zoom: 3, lat: 1, lng: 2 });
  expect(zooms).toEqual([7]);
});

test('a map that shows all by itself is not in the URL', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2, isFitted: true });
  expect(location.search).toBe('');
  leave({ zoom: 5, lat: 1, lng: 2, isFitted: false });
  expect(location.search).toBe('?map=5/1/2');
});

test('a URL without a view, of a saved view for example, moves the map to all and stays', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2 });
  render('4/1/2');
  history.replaceState(null, '', '/');
  render(null);
  expect(zooms).toEqual([null]);
  leave({ zoom: 2, lat: 1, lng: 2 });
  expect(location.search).toBe('');
  leave({ zoom: 3, lat: 1, lng: 2 });
  expect(location.search).toBe('?map=3/1/2');
});
