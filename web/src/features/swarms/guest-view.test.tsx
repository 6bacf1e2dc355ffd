import type { SwarmItem } from '@swarmdeck/bff/contract';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { GuestView } from './guest-view.tsx';

beforeAll(() => loadTexts('en'));

const guest = (isPublic: boolean): SwarmItem => ({
  id: 's',
  user_id: 'ann',
  name: 'River & levels',
  description: '',
  public: isPublic,
  listed: isPublic,
  created_at: '2026-01-02T03:00:00.000Z',
  active_at: null,
  relation: 'guest',
  member_count: 0,
  members: null,
  accepts_requests: false,
  may_ask: false,
  own: { producer: 0, consumer: 0, both: 0 },
  invitations: null,
});

test.each([
  {
    who: 'an invited user',
    isPublic: false,
    text: () => t.swarms.page.guest_answer,
    link: '/invitations?q=River+%26+levels',
  },
  { who: 'another one', isPublic: true, text: () => t.swarms.page.guest_join, link: '/' },
])('the page of a swarm tells $who how to join', async ({ isPublic, text, link }) => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path === '/api/offers' ? [] : { items: [], next: null }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const { container, unmount } = await mountPart(<GuestView swarm={guest(isPublic)} user_id="ben" />);
  const section = container.querySelector('.guest-join')!;
  expect(section.textContent).toContain(text());
  expect([...section.querySelectorAll('a')].map((each) => each.getAttribute('href'))).toEqual([link]);
  await unmount();
});
