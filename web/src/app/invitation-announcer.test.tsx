import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { queryKeys } from '../data/cache/query-keys.ts';
import { InvitationAnnouncer } from './invitation-announcer.tsx';

test('each arrival is said on every page, also the second of the same number', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const client = new QueryClient();
  const counted = (open: number) =>
    act(async () => {
      client.setQueryData(queryKeys.invitations.count, {
        received: { new: open, all: 9 },
        sent: { new: 0 },
        offers: 0,
      });
      // The cache notifies in a timer.
      await new Promise((notified) => setTimeout(notified));
    });
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <InvitationAnnouncer />
      </QueryClientProvider>,
    ),
  );
  const said = () => page.querySelector('span');
  await counted(2);
  expect(said()).toBeNull();
  await counted(3);
  const first = said();
  expect(first?.textContent).toBe('1 new invitation or request to join');
  await counted(4);
  expect(said()?.textContent).toBe('1 new invitation or request to join');
  expect(said()).not.toBe(first);
  // An answer is no arrival.
  await counted(3);
  expect(said()).toBeNull();
  await act(async () => root.unmount());
});
