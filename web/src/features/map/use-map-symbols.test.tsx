import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { MapView } from '@swarmdeck/bff/contract';
import { mapViewQuery, useMapSymbols, wholeWorld } from './map.api.ts';

const viewOf = (version: string): MapView => ({
  type: 'FeatureCollection',
  features: [],
  total: 1,
  unplaced: 0,
  version,
  bounds: null,
});

test('what is stored is shown instead of the responses, and as soon as it is gone the last response', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const client = new QueryClient();
  const question = { filters: { audience: 'own' }, viewport: wholeWorld };
  const shown: string[] = [];
  function Page({ stored }: { stored: MapView | null }) {
    useMapSymbols({ ...question, stored, show: ({ version }) => shown.push(version) });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  const render = (stored: MapView | null) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <Page stored={stored} />
        </QueryClientProvider>,
      ),
    );
  const answer = (version: string) =>
    act(async () => {
      client.setQueryData(mapViewQuery(question).queryKey, viewOf(version));
      await new Promise((resolve) => setTimeout(resolve));
    });
  await answer('first');
  await render(null);
  await render(viewOf('stored'));
  await answer('second');
  expect(shown.at(-1)).toBe('stored');
  await render(null);
  expect([...new Set(shown)]).toEqual(['first', 'stored', 'second']);
  await answer('third');
  expect(shown.at(-1)).toBe('third');
  await act(async () => root.unmount());
});
