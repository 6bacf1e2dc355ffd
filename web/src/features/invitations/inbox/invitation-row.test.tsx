import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { serveActions } from '../../../data/actions/actions.fixture.ts';
import { actionsOf } from '../../../data/actions/actions.ts';
import { itemOf } from '../../../data/cache/invitation.fixture.ts';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { InvitationFacts } from './invitation-facts.tsx';
import { InvitationRow, type InvitationRowProps } from './invitation-row.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test.each<[box: InvitationRowProps['box'], ends_at: string | undefined, says: string]>([
  ['sent', undefined, 'Withdrawn'],
  ['sent', inHours(1), 'Withdrawn'],
  ['sent', inHours(-1), 'Expired'],
  ['received', undefined, 'No longer open'],
  ['received', inHours(-1), 'Expired'],
])('a request in %s that is gone, with the end %s: %s', async (box, ends_at, says) => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 404, code: 'invitation.not_found' }, { status: 404 }));
  const item = itemOf('1', 1, { is_request: true, ...(ends_at !== undefined && { ends_at }) });
  const handlers = { select() {}, open() {}, toggle() {}, answer() {} };
  const { container, unmount } = await mountPart(
    <InvitationRow item={item} box={box} selected={false} checked={false} ended tabIndex={0} handlers={handlers} />,
    new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  await waitFor(() => expect(container.querySelector('.invitation-answering')!.textContent).toBe(says));
  await unmount();
});

const handlers = { select() {}, open() {}, toggle() {}, answer() {} };
const laterEnd = { is_later_end: true as const, ends_at: inHours(1), sent_by: 'ann' };

test('the row of a later end and its checkbox say what it is, and no role', async () => {
  const item = itemOf('1', 1, { ...laterEnd, member_ends_at: inHours(0.5) });
  const props = { item, selected: false, checked: false, tabIndex: 0 as const, handlers };
  const { container, unmount } = await mountPart(<InvitationRow {...props} box="received" />, new QueryClient());
  expect(container.querySelector('.invitation-asking')!.textContent).toMatch(/^Later end offered by ann for /);
  expect(container.querySelector('.invitation-checkbox')!.textContent).toMatch(
    /^Select: Later end offered by ann for /,
  );
  expect(container.querySelector('.role-chip')).toBeNull();
  await unmount();
});

test.each(['accepted', 'rejected'] as const)('the facts of a later end that was %s have no role', async (status) => {
  const item = itemOf('1', 1, { ...laterEnd, status });
  const { container, unmount } = await mountPart(<InvitationFacts item={item} box="received" />, new QueryClient());
  expect(container.textContent).toMatch(/Later end offered *until /);
  expect(container.textContent).not.toContain('Role');
  await unmount();
});

test.each(['received', 'sent'] as const)(
  'in %s, a device that joined by a link was not offered a role',
  async (box) => {
    const item = itemOf('1', 1, { sent_by: null, joined_by: 'link', status: 'accepted' });
    const { container, unmount } = await mountPart(<InvitationFacts item={item} box={box} />, new QueryClient());
    expect(container.textContent).toContain('Statusjoined ');
    expect(container.textContent).not.toContain('Role offered');
    await unmount();
  },
);

test.each([
  ['says how to leave the swarm', 14, true],
  ['does not say so after the device has left it', undefined, false],
])('an accepted invitation %s', async (_what, member_count, says) => {
  const { swarm, ...item } = itemOf('1', 1, { status: 'accepted' });
  const { member_count: _all, ...rest } = swarm;
  const shown = { ...item, swarm: member_count === undefined ? rest : swarm };
  const { container, unmount } = await mountPart(<InvitationFacts item={shown} box="received" />, new QueryClient());
  expect(container.textContent.includes('shows whether it is still in the swarm')).toBe(says);
  await unmount();
});

test.each([
  ['an invitation', 14, {}, 'All in the swarm see its position (14 members)'],
  ['an invitation of a swarm without members', 0, {}, 'All in the swarm see its position (owner: gauge-office)'],
  ['a request', 14, { is_request: true as const, from: 'ben' }, 'All in the swarm see all its devices'],
  ['a later end, which changes nothing of that', 14, { ...laterEnd, member_ends_at: inHours(0.5) }, undefined],
  ['what has expired', 14, { ends_at: inHours(-1) }, undefined],
])('the row of %s says beside Accept who sees what', async (_what, members, more, says) => {
  const item = itemOf('1', 1, more);
  const props = {
    item: { ...item, swarm: { ...item.swarm, member_count: members } },
    selected: false,
    checked: false,
    handlers,
  };
  const { container, unmount } = await mountPart(
    <InvitationRow {...props} tabIndex={0} box="received" />,
    new QueryClient(),
  );
  expect(container.querySelector('.answer-audience')?.textContent).toBe(says);
  await unmount();
});

test('the row of an answer that failed says why, and still the swarm', async () => {
  const server = serveActions();
  const client = new QueryClient();
  const item = itemOf('1', 1);
  const props = { item, selected: false, checked: false, tabIndex: 0 as const, handlers };
  const { container, unmount } = await mountPart(<InvitationRow {...props} box="received" />, client);
  const tab = actionsOf({ client });
  const items = [{ id: '1', name: 'Buoy', swarm: item.swarm.name }];
  const { id } = (await act(() => tab.start({ kind: 'answer', about: { answer: 'accept' }, items })))!;
  server.change(id, { state: 'ended', done: 1, failed: 1, results: [{ code: 'swarm.not_found' }] });
  await act(() => tab.read(new AbortController().signal));
  expect(container.querySelector('.invitation-meta')!.textContent).toContain(item.swarm.name);
  expect(container.querySelector('.answer-audience')!.textContent).toBe('The swarm has been deleted.');
  await unmount();
});

test('the row of an answer with an end of its own shows this end alone', async () => {
  serveActions();
  const client = new QueryClient();
  const item = itemOf('1', 1, { ends_at: inHours(2) });
  const props = { item, selected: false, checked: false, tabIndex: 0 as const, handlers };
  const { container, unmount } = await mountPart(<InvitationRow {...props} box="received" />, client);
  const ends = () => [...container.querySelectorAll('time')].map(({ dateTime }) => dateTime);
  expect(ends()).toContain(item.ends_at);
  const about = { answer: 'accept' as const, ends_at: inHours(1) };
  await act(() =>
    actionsOf({ client }).start({ kind: 'answer', about, items: [{ id: '1', name: 'Buoy', swarm: item.swarm.name }] }),
  );
  expect(ends()).toEqual([about.ends_at]);
  await unmount();
});
