import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { setLiveState } from '../stream/connection-status.ts';
import { useMapWith } from './query-cache.ts';
import { queryKeys } from './query-keys.ts';

test.each([
  // The events that change the list change the map too: it would be fetched twice.
  { state: 'live', isOutdated: false },
  { state: 'disconnected', isOutdated: true },
] as const)(
  'the map is fetched with the list beside it without the stream only: $state',
  async ({ state, isOutdated }) => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    const client = new QueryClient();
    const list = { queryKey: queryKeys.swarm.members('s'), queryFn: async () => [] };
    client.setQueryData([...queryKeys.map.all, 'view'], {});
    const Page = () => (useMapWith(list), null);
    const root = createRoot(document.createElement('div'));
    await act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <Page />
        </QueryClientProvider>,
      ),
    );
    setLiveState(state);
    const isInvalidated = () => client.getQueryCache().findAll({ queryKey: queryKeys.map.all })[0]?.state.isInvalidated;
    await client.fetchQuery(list);
    expect(isInvalidated()).toBe(false);
    await client.fetchQuery(list);
    expect(isInvalidated()).toBe(isOutdated);
    setLiveState(undefined);
    await act(async () => root.unmount());
  },
);
