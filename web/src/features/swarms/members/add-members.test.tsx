import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test, vi } from 'vitest';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { AddMembers } from './add-members.tsx';

beforeAll(() => loadTexts('en'));

test('before own devices are added, the dialog says who will see them, and of how many devices', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ items: [], total: 0, facets: { all: 0, swarms: [] }, next: null }),
  );
  const swarm = { id: 's', user_id: 'ann', name: 'Harbour', relation: 'owner', member_count: 3 } as SwarmItem;
  const { container, unmount } = await mountPart(<AddMembers swarm={swarm} onClose={() => {}} />, new QueryClient());
  expect(container.textContent).toContain('members of the swarm see the name, type, description and position of each');
  expect(container.textContent).toContain('The swarm has 3 devices now.');
  await unmount();
});
