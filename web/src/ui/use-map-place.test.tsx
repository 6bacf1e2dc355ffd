import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useMapPlace } from './map-view-url.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const gone: number[] = [];
let leave: ReturnType<typeof useMapPlace> = () => undefined;
let render: (text: string | null) => void = () => undefined;
let unmount = () => {};
beforeEach(() => {
  gone.length = 0;
  history.replaceState(null, '', '/');
  const root = createRoot(document.createElement('div'));
  render = (text) => act(() => root.render(<Probe text={text} give={(given) => (leave = given)} />));
  unmount = () => act(() => root.unmount());
});
afterEach(() => unmount());

function Probe({ text, give }: { text: string | null; give(leave: ReturnType<typeof useMapPlace>): void }) {
  const leaveAt = useMapPlace({ text, write: address, go: ({ zoom }) => gone.push(zoom) });
  useEffect(() => {
    give(leaveAt);
  });
  return null;
}
const address = (text: string) => history.replaceState(null, '', `/?map=${text}`);

test('the address it opens at, and where the map was left, lead nowhere', () => {
  address('3/1/2');
  render('3/1/2');
  leave({ zoom: 4, lat: 1, lng: 2 });
  render('4/1/2');
  expect(gone).toEqual([]);
});

test('an address that somebody else wrote leads there, and the way back does', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2 });
  render('4/1/2');
  address('7/1/2');
  render('7/1/2');
  leave({ zoom: 7, lat: 1, lng: 2 });
  address('4/1/2');
  render('4/1/2');
  expect(gone).toEqual([7, 4]);
});

test('a page that is behind its address fetches no map back', () => {
  render(null);
  leave({ zoom: 4, lat: 1, lng: 2 });
  leave({ zoom: 5, lat: 1, lng: 2 });
  render('4/1/2');
  render('5/1/2');
  expect(gone).toEqual([]);
});

test('a map that comes to rest before it hears of its new address goes there, and does not take it back', () => {
  address('3/1/2');
  render('3/1/2');
  address('7/1/2');
  leave({ zoom: 3, lat: 1, lng: 2 });
  expect(gone).toEqual([7]);
  expect(location.search).toBe('?map=7/1/2');
  render('7/1/2');
  leave({ zoom: 7, lat: 1, lng: 2 });
  expect(gone).toEqual([7]);
});

test('an address of before the map was there is where it goes when it is', () => {
  address('3/1/2');
  render('3/1/2');
  address('7/1/2');
  render('7/1/2');
  expect(gone).toEqual([]);
  leave({ zoom: 3, lat: 1, lng: 2 });
  expect(gone).toEqual([7]);
});
