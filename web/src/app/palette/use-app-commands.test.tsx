import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { useAppCommands } from './use-app-commands.ts';

beforeAll(() => loadTexts('en'));

function Palette() {
  const add = useAppCommands({ word: '', touch: false }).find(({ id }) => id === 'demo');
  return (
    <button type="button" onClick={() => add?.run()}>
      Add
    </button>
  );
}

test('a demo that was added from the palette leads to the devices only if the user wants to see them', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'POST' ? promise : Response.json({}),
  );
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(queryKeys.demo, { exists: false });
  history.replaceState(null, '', '/swarms');
  const { container, press, show, unmount } = await mountPart(<Palette />, client);
  await press('Add');
  // The palette closes, and the user goes on.
  await show(null);
  history.replaceState(null, '', '/activity');
  await act(async () => resolve(new Response(null, { status: 204 })));
  await waitFor(() => expect(container.textContent).toContain(t.start.demo.added));
  expect(location.pathname).toBe('/activity');
  await press(t.start.demo.show);
  expect(location.pathname).toBe('/');
  await unmount();
});
