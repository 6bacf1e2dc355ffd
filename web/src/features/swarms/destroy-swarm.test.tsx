import { expect, test, vi } from 'vitest';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { DestroySwarm } from './destroy-swarm.tsx';

const at = '2026-11-28T12:00:00.000Z';
const swarm = {
  id: 's',
  name: 'Harbour',
  member_count: 3,
  invitations: { new: 2, requests: 1 },
} as unknown as SwarmItem;

test('before a swarm is deleted, all that ends with it is listed', async () => {
  await loadTexts('en');
  const named = (['owner', 'manager', 'watcher', 'watcher'] as const).map((role) => ({ user_id: role, role }));
  const item = { swarm, named, open_links: 1, guest_links: 2, since: at, known_since: at };
  const roles = [
    { user_id: 'a', role: 'manager', status: 'agreed', offered_at: at },
    { user_id: 'b', role: 'watcher', status: 'agreed' },
    { user_id: 'c', role: 'watcher', status: 'asked' },
  ];
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path.endsWith('/managers') ? roles : { items: [item], next: null }),
  );
  const { container, unmount } = await mountPart(
    <DestroySwarm swarm={swarm} onClose={() => {}} onDestroy={() => {}} />,
  );
  const lines = () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  await waitFor(() =>
    expect(lines()).toEqual([
      '3 memberships: the members no longer see each other’s devices, tracks and values',
      'the role of 1 manager, who no longer sees the devices',
      'the roles of 2 watchers, who no longer see the devices',
      '2 open invitations, which are withdrawn',
      '1 request to join, which ends',
      '2 offers to manage, watch or own it that have no answer yet',
      '1 open link to join',
      '2 links that show devices to people without an account',
      'the messages sent to it in the last 24 hours',
      'the list of its sent invitations, with all answers',
    ]),
  );
  await unmount();
});
