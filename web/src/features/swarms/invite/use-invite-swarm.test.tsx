import { QueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { expect, test, vi } from 'vitest';
import { problem } from '../../../data/actions/actions.fixture.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { useInviteSwarm } from './use-invite-swarm.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const swarm = { id: 's', name: 'Harbour' };
const none = { items: [], total: 0, next: null } as never;

test.each([
  ['was deleted', problem('swarm.not_found', 404), true],
  ['has a device of the user', Response.json({ ...swarm, relation: 'member' }), true],
  ['is managed by the user', Response.json({ ...swarm, relation: 'manager' }), false],
  ['cannot be read', problem('storage.full', 507), false],
])('a swarm in the URL that %s', async (_case, response, isDenied) => {
  vi.stubGlobal('fetch', async () => response.clone());
  history.replaceState(null, '', '/invite?swarm=s');
  const now: { invite?: ReturnType<typeof useInviteSwarm> } = {};
  function Page() {
    const invite = useInviteSwarm({ swarms: none, q: '' });
    useLayoutEffect(() => {
      now.invite = invite;
    });
    return null;
  }
  const { client, unmount } = await mountPart(
    <Page />,
    new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } }),
  );
  const id = response.ok && !isDenied ? swarm.id : undefined;
  await waitFor(() => {
    expect(client.isFetching()).toBe(0);
    expect([now.invite!.isDenied, now.invite!.swarm?.id]).toEqual([isDenied, id]);
  });
  await unmount();
});
