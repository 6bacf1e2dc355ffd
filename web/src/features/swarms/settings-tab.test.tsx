import type { SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { SettingsTab } from './settings-tab.tsx';

beforeAll(() => loadTexts('en'));

test.each([
  { member_count: 5, isPublic: false, says: 2 },
  { member_count: 3, isPublic: false, says: 0 },
  { member_count: 5, isPublic: true, says: 0 },
])('publishing a swarm says who is notified: %j', async ({ member_count, isPublic, says }) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const own = { producer: 1, consumer: 1, both: 1 };
  const values = { name: 'Harbour', description: '', public: isPublic, listed: false, accepts_requests: true };
  const swarm = { id: 's', user_id: 'ann', relation: 'owner', member_count, own, ...values } as SwarmItem;
  const { container, unmount } = await mountPart(
    <SettingsTab read={{ swarm, etag: null }} activity={null} managers={null} onDestroy={() => undefined} />,
  );
  const note = t.swarms.settings.publishes(2);
  expect(container.textContent).not.toContain(note);
  await act(async () => container.querySelector<HTMLElement>('[role=switch]')!.click());
  expect(container.textContent.includes(note)).toBe(says > 0);
  await unmount();
});
