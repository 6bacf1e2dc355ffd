import type { InvitationItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { itemOf } from '../../../data/cache/invitation.fixture.ts';
import { setLiveState } from '../../../data/stream/connection-status.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountInbox } from './inbox.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const asListed = itemOf('1', 1);
let members = 0;
let expects: { expected_every?: number } = {};

const open = (): InvitationItem[] => [
  { ...asListed, resource_type: 'both', swarm: { ...asListed.swarm, member_count: members } },
];
const others = (path: string) =>
  path.includes('/flow') ? { producers: members, consumers: members, sent: 0, ...expects } : undefined;

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  members = 0;
  expects = {};
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  return () => vi.useRealTimers();
});

/** Waits while the time of the page passes: its parts load, and set timers. */
const eventually = (waitFor: (check: () => void) => Promise<void>, check: () => void) =>
  waitFor(() => {
    vi.advanceTimersByTime(50);
    check();
  });

test('an open invitation says who receives now, though the user has no events of its swarm', async () => {
  setLiveState('live');
  const { container } = await mountInbox({ url: '/invitations?sel=1', open, others });
  const says = (count: number) => {
    expect(container.textContent).toContain(t.messages.flow.receives(count, true));
    expect(container.textContent).toContain(t.invitations.facts.members(count));
  };
  await eventually(waitFor, () => says(0));
  // Who joins later sees the device too.
  expect(container.querySelector('.consent')!.textContent).toContain('watchers and members');
  members = 2;
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await eventually(waitFor, () => says(2));
});

test('an invitation is read again while its consent is shown, but not while it is being answered', async () => {
  const { container } = await mountInbox({ url: '/invitations?sel=1', open, others });
  await eventually(waitFor, () => expect(container.querySelector('.consent')).not.toBeNull());
  const answer = globalThis.fetch;
  let reads = 0;
  vi.stubGlobal('fetch', (path: string, options?: RequestInit) => {
    if (path.endsWith('/api/inbox/1')) reads += 1;
    return answer(path, options);
  });
  const readsIn = async (ms: number) => {
    reads = 0;
    await act(() => vi.advanceTimersByTimeAsync(ms));
    return reads;
  };
  expect(await readsIn(10_000)).toBe(2);
  await act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })));
  await eventually(waitFor, () => expect(container.querySelector('.consent')).toBeNull());
  expect(await readsIn(10_000)).toBe(0);
});

test('an open invitation names the interval that its swarm sets', async () => {
  expects = { expected_every: 60 };
  const { container } = await mountInbox({ url: '/invitations?sel=1', open, others });
  const says = 'The swarm sets the expected interval of this device: 1 min.';
  await eventually(waitFor, () => expect(container.querySelector('.consent')!.textContent).toContain(says));
});

test('a request of a device that has joined meanwhile says that it is a member, and what it would do', async () => {
  const request = itemOf('1', 1, { is_request: true, resource_type: 'both', other_role_ends_at: null });
  const { container } = await mountInbox({ url: '/invitations?sel=1', open: () => [request], others });
  const says =
    'is in River levels already: gauge-office and the members see each other’s devices. If you accept, it will both';
  await eventually(waitFor, () => expect(container.querySelector('.consent')!.textContent).toContain(says));
  expect(container.querySelector('.answer-audience')!.textContent).toBe(t.invitations.audience.is_member);
});

test.each([
  ['one swarm', {}, 'The swarm has 14 devices now.'],
  ['two swarms', { swarm: { ...asListed.swarm, id: 'air', member_count: 2 } }, 'These swarms have 16 devices now.'],
])('invitations to %s say how many devices are there', async (_, second, says) => {
  const { container, press } = await mountInbox({
    url: '/invitations',
    open: () => [asListed, itemOf('2', 2, second)],
  });
  await eventually(waitFor, () => expect(container.textContent).toContain(t.invitations.select_all));
  await press(t.invitations.select_all);
  await eventually(waitFor, () => expect(container.querySelector('.consent')!.textContent).toContain(says));
});
