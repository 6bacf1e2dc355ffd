import { act } from 'react';
import { beforeAll, expect, test } from 'vitest';
import type { InvitationPage } from '@swarmdeck/bff/contract';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountInbox } from './inbox.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const received = [itemOf('1', 3), itemOf('2', 2)];
const other = itemOf('other', 1);

/** Begins to select all received invitations, whose second page the server holds back until `answer`. */
async function beginReading() {
  const held = Promise.withResolvers<InvitationPage>();
  const inbox = await mountInbox({
    url: '/invitations',
    open: () => received,
    others: (path) => (path.endsWith('/other') ? other : undefined),
    page(params) {
      if (params.get('state') !== 'new') return pageOf([]);
      if (params.get('box') === 'sent' || params.has('q')) return pageOf([other]);
      return params.has('cursor') ? held.promise : { ...pageOf(received, 'second'), items: [received[0]!] };
    },
  });
  await waitFor(() => expect(inbox.container.textContent).toContain(t.invitations.select_all));
  await inbox.press(t.invitations.select_all);
  const answer = () => act(async () => held.resolve(pageOf([received[1]!])));
  const bar = () => inbox.container.querySelector('.selection-bar');
  return { ...inbox, answer, bar };
}

const turns = async () => {
  for (let turn = 0; turn < 4; turn += 1) await act(async () => new Promise((resolve) => setTimeout(resolve)));
};

test('selecting all reads the invitations that are not loaded', async () => {
  const { answer, bar } = await beginReading();
  expect(bar()).toBeNull();
  await answer();
  await waitFor(() => expect(bar()?.textContent).toContain(t.bulk.selection.count('2')));
});

test.each(['/invitations?tab=sent', '/invitations?q=other'])(
  'a reading ends where %s is shown, and selects nothing there',
  async (url) => {
    const { container, answer, bar } = await beginReading();
    await act(async () => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await waitFor(() => expect(container.textContent).toContain('Sensor other'));
    await answer();
    await turns();
    expect(bar()).toBeNull();
  },
);

test('Esc ends a reading, and no key answers an invitation meanwhile', async () => {
  const { container, answer, bar } = await beginReading();
  const press = (key: string) =>
    act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
  await waitFor(() => expect(container.querySelector('[data-row="1"]')).not.toBeNull());
  await act(async () => container.querySelector<HTMLElement>('[data-row="1"]')!.focus());
  await press('a');
  expect(container.querySelector('.row-pending')).toBeNull();
  await press('Escape');
  await answer();
  await turns();
  expect(bar()).toBeNull();
});

test('devices of the same name have their ids in the list, and beside what was written with the invitations', async () => {
  const named = (id: string, description: string) =>
    itemOf(id, 1, {
      resource_id: `0000000${id}-aaaa-000${id}`,
      description,
      device: { name: 'Level', machine_type: 'bug' },
    });
  const { container, press } = await mountInbox({
    url: '/invitations',
    open: () => [named('1', 'The old one'), named('2', 'The new one'), itemOf('3', 1)],
  });
  await waitFor(() => expect(container.textContent).toContain(t.invitations.select_all));
  const names = [...container.querySelectorAll('.invitation-device')].map(({ textContent }) => textContent);
  expect(names.toSorted()).toEqual(['Level …0001', 'Level …0002', 'Sensor 3']);
  await press(t.invitations.select_all);
  await waitFor(() => expect(container.querySelector('.bulk-swarms')).not.toBeNull());
  const lines = [...container.querySelectorAll('.bulk-device')].map(({ parentElement }) => parentElement!.textContent);
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/^Level00000001…0001.*“The old one”$/),
    expect.stringMatching(/^Level00000002…0002.*“The new one”$/),
    expect.stringMatching(/^Sensor 3/),
  ]);
});
