import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FoundPlace } from '../../../data/places/found-places.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { KeysProvider } from '../../../ui/keys/keys-provider.tsx';
import { PlaceSearch } from './place-search.tsx';

const placeOf = (name: string, lat: number): FoundPlace => ({ id: name, name, view: { zoom: 9, lat, lng: 8 } });
const { findPlaces } = vi.hoisted(() => ({ findPlaces: vi.fn<(q: string) => Promise<FoundPlace[]>>() }));
vi.mock('../../../data/places/found-places.ts', () => ({ findPlaces }));

function Search() {
  const [q, setQ] = useState('');
  return <PlaceSearch q={q} onSearch={setQ} onGo={({ lat }) => went.push(lat)} />;
}

let root: Root;
let container: HTMLElement;
let went: number[];
beforeAll(() => loadTexts('en'));
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // Not setInterval, by which jsdom moves the focus: the window outlives this file.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  went = [];
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <KeysProvider>
          <Search />
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const input = () => container.querySelector('input')!;
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input(), text);
    input().dispatchEvent(new Event('input', { bubbles: true }));
  });
const enter = () =>
  act(async () => void input().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
const pass = () => act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
/** Until a pause in typing, and then until places are found. */
async function later() {
  await pass();
  await pass();
}

test('Enter takes the first place, also if it is found later', async () => {
  const found = Promise.withResolvers<FoundPlace[]>();
  findPlaces.mockReturnValue(found.promise);
  await type('cux');
  await enter();
  expect(went).toEqual([]);
  expect(container.textContent).toContain(t.device.placing.loading);
  await act(async () => found.resolve([placeOf('Cuxhaven', 53.9), placeOf('Cuxton', 51.4)]));
  await later();
  expect(went).toEqual([53.9]);
  expect(input().value).toBe('');
});

test('Enter for another text takes nothing of this one', async () => {
  findPlaces.mockImplementation(async (q) => (q === 'kiel' ? [placeOf('Kiel', 54.3)] : []));
  await type('kie');
  await enter();
  await type('kiel');
  await later();
  expect(container.textContent).toContain('Kiel');
  expect(went).toEqual([]);
  await enter();
  expect(went).toEqual([54.3]);
});

test('places that cannot be loaded are not a search without a result', async () => {
  findPlaces.mockRejectedValue(new Error('no network'));
  await type('cux');
  await later();
  expect(container.textContent).toContain(t.device.placing.not_loaded);
  findPlaces.mockResolvedValue([placeOf('Cuxhaven', 53.9)]);
  await type('cuxh');
  await later();
  expect(container.textContent).not.toContain(t.device.placing.not_loaded);
  expect(container.textContent).toContain('Cuxhaven');
});
