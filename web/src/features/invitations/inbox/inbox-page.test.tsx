import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { phone, touch } from '../../../ui/browser/media.ts';
import { invitationPagesQuery } from '../invitations.api.ts';
import { mountInbox } from './inbox.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const items = [itemOf('1', 2), itemOf('2', 1, { is_request: true })];

let isPhone = true;
let turned = new EventTarget();

async function turn() {
  isPhone = !isPhone;
  await act(async () => turned.dispatchEvent(new Event('change')));
}

async function openInbox(url: string, more: Partial<Parameters<typeof mountInbox>[0]> = {}) {
  const mounted = await mountInbox({
    url,
    open: () => items,
    offers: <p>Offers</p>,
    ...more,
    matchMedia: (query) => ({
      get matches() {
        return query === phone && isPhone;
      },
      addEventListener: (type: string, listen: () => void) => turned.addEventListener(type, listen),
      removeEventListener: (type: string, listen: () => void) => turned.removeEventListener(type, listen),
    }),
  });
  const dialog = () => mounted.container.querySelector('dialog');
  return {
    ...mounted,
    dialog,
    open: async (label: string) => {
      await waitFor(() => expect(mounted.container.textContent).toContain(label));
      await mounted.press(label);
      await waitFor(() => expect(dialog()).not.toBeNull());
    },
  };
}

beforeAll(() => loadTexts('en'));
beforeEach(() => {
  isPhone = true;
  turned = new EventTarget();
});

test('with nothing but an offer to answer, the list does not say that all is answered', async () => {
  const past = itemOf('past', 1, { status: 'accepted' });
  const { container } = await openInbox('/invitations', {
    open: () => [],
    page: (params) => pageOf(params.get('state') === 'new' ? [] : [past]),
    others: () => ({ received: { new: 0 }, sent: { new: 0 }, offers: 1 }),
  });
  await waitFor(() => expect(container.textContent).toContain(t.invitations.history));
  await waitFor(() => expect(container.textContent).not.toContain(t.invitations.empty.all_answered));
});

test('a phone that is turned keeps the dialog that blocks a user', async () => {
  const { dialog, open } = await openInbox('/invitations?sel=2');
  await open(t.invitations.block);
  await turn();
  expect(dialog()!.textContent).toContain(t.invitations.block_confirm);
});

test('a phone that is turned keeps the summary of the selected invitations', async () => {
  const { dialog, open, press, container } = await openInbox('/invitations');
  await waitFor(() => expect(container.textContent).toContain(t.invitations.select_all));
  await press(t.invitations.select_all);
  await open(t.invitations.review('2'));
  await turn();
  expect(dialog()!.textContent).toContain('River levels');
});

test('a phone that is turned, and turned back, is at its list again, unless an invitation was opened meanwhile', async () => {
  const { container } = await openInbox('/invitations');
  const list = () => container.querySelector('[data-row="1"]');
  await waitFor(() => expect(list()).not.toBeNull());
  await turn();
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  await turn();
  await waitFor(() => expect(location.search).toBe(''));
  expect(list()).not.toBeNull();
  await turn();
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  await act(async () => container.querySelector<HTMLElement>('[data-row="2"]')!.click());
  await turn();
  expect(location.search).toBe('?sel=2');
  expect(list()).toBeNull();
});

/** The list as an entry of the history, to which Back must return. */
async function openList() {
  const inbox = await openInbox('/invitations');
  await waitFor(() => expect(inbox.container.textContent).toContain('Sensor 1'));
  history.replaceState({ is: 'list' }, '');
  const back = () =>
    act(async () => inbox.container.querySelector<HTMLElement>(`[title="${t.invitations.back}"]`)!.click());
  const press = (key: string) =>
    act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
  const heading = () => inbox.container.querySelector('h2#pane-title');
  const opened = (id: string) =>
    waitFor(() => {
      expect(location.search).toBe(`?sel=${id}`);
      expect(document.activeElement).toBe(heading());
    });
  return { ...inbox, back, press, heading, opened };
}

test.each([
  { by: 'a tap', open: (container: HTMLElement) => container.querySelector<HTMLElement>('[data-row="1"]')!.click() },
  {
    by: 'J',
    open: () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })),
  },
])('an invitation of a phone that is opened by $by has the focus, and the list is once in the history', async (how) => {
  const { container, back, press, opened } = await openList();
  await act(async () => how.open(container));
  await opened('1');
  await press('j');
  await opened('2');
  await back();
  await waitFor(() => expect([location.search, history.state]).toEqual(['', { is: 'list' }]));
});

test('Back leads to the row of the invitation that was open', async () => {
  const { container, back, opened } = await openList();
  const row = () => container.querySelector<HTMLElement>('[data-row="2"]');
  await act(async () => row()!.click());
  await opened('2');
  await back();
  await waitFor(() => expect(document.activeElement).toBe(row()));
});

test('Back from an invitation that a link has opened shows the list instead', async () => {
  const { container } = await openInbox('/invitations?sel=1');
  const button = () => container.querySelector<HTMLElement>(`[title="${t.invitations.back}"]`);
  await waitFor(() => expect(button()).not.toBeNull());
  const entries = history.length;
  await act(async () => button()!.click());
  await waitFor(() => expect(container.textContent).toContain(t.invitations.needs_answer));
  expect(history.length).toBe(entries);
});

test('Enter on a row of a desk moves the focus to its invitation, once that is open', async () => {
  isPhone = false;
  const { container, heading } = await openList();
  const row = (id: string) => container.querySelector<HTMLElement>(`[data-row="${id}"]`)!;
  const enterOn = (id: string) =>
    act(async () => {
      row(id).focus();
      row(id).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  await enterOn('2');
  await waitFor(() => expect(location.search).toBe('?sel=2'));
  expect(document.activeElement).toBe(row('2'));
  await enterOn('2');
  expect(document.activeElement).toBe(heading());
});

test('what others ask besides scrolls with the invitations, and is above them while these load', async () => {
  const { container } = await openInbox('/invitations');
  expect(container.textContent).toContain('Offers');
  await waitFor(() => expect(container.querySelector('.inbox-scroller')?.textContent).toMatch(/^Offers.*Sensor 1/));
});

test('what others ask besides keeps its state when the first invitation arrives', async () => {
  const open: InvitationItem[] = [];
  const { client, container } = await mountInbox({ url: '/invitations', open: () => open, offers: <textarea /> });
  const field = () => container.querySelector('textarea');
  const before = field();
  expect(before).not.toBeNull();
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(field(), 'once the list is known to be empty').toBe(before);
  open.push(itemOf('1', 1));
  await act(async () => client.invalidateQueries({ queryKey: queryKeys.invitations.lists }));
  await waitFor(() => expect(container.textContent).toContain('Sensor 1'));
  expect(field()).toBe(before);
});

test('the keys of a phone answer and select no invitation while the focus is above the rows', async () => {
  const { container, press } = await openList();
  const button = (label: string) =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === label)!;
  await act(async () => button(t.invitations.select_all).focus());
  await press('a');
  await press('x');
  expect(container.querySelector('.row-pending')).toBeNull();
  expect(container.textContent).not.toContain(t.invitations.review('1'));
  await act(async () => container.querySelector<HTMLElement>('[data-row="1"]')!.focus());
  await press('x');
  expect(container.textContent).toContain(t.invitations.review('1'));
});

test('on a touch screen, what arrives is out of sight above the rows, but not what the list opens with', async () => {
  const shown = [itemOf('1', 1), itemOf('2', 2)];
  const query = { box: 'received', side: 'new', q: '' } as const;
  const client = new QueryClient();
  // An earlier visit has read one.
  client.setQueryData(invitationPagesQuery(query).queryKey, {
    pages: [pageOf([shown[0]!])],
    pageParams: [{ limit: 100 }],
  });
  const { container } = await mountInbox({
    url: '/invitations',
    open: () => shown.toReversed(),
    matchMedia: (media) => ({
      matches: media === phone || media === touch,
      addEventListener() {},
      removeEventListener() {},
    }),
    client,
  });
  await waitFor(() => expect(container.textContent).toContain('Sensor 2'));
  expect(container.textContent).not.toContain(t.invitations.new_above('1'));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  // The query tells its observers in a turn of its own, and the list is open in another one after that.
  for (let turn = 0; turn < 4; turn += 1) await act(async () => new Promise((resolve) => setTimeout(resolve)));
  shown.push(itemOf('3', 3));
  await act(async () => client.invalidateQueries({ queryKey: queryKeys.invitations.head(query) }));
  await waitFor(() => expect(container.textContent).toContain(t.invitations.new_above('1')));
});

test('on a desk, a key answers only the invitation whose terms are shown', async () => {
  isPhone = false;
  const { container, press } = await openList();
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  const checkbox = container
    .querySelector('[data-row="2"]')!
    .closest('.virtual-row')!
    .querySelector<HTMLElement>('input[type=checkbox], [role=checkbox]')!;
  await act(async () => checkbox.focus());
  await act(async () => checkbox.click());
  await act(async () => checkbox.click());
  await press('a');
  await waitFor(() => expect(location.search).toBe('?sel=2'));
  expect(container.querySelector('.row-pending')).toBeNull();
  await press('a');
  await waitFor(() => expect(container.querySelector('.row-pending')).not.toBeNull());
});

test('on a desk, a key answers the invitation that a key has just opened', async () => {
  isPhone = false;
  const { container, press } = await openList();
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  await press('j');
  await press('r');
  await waitFor(() => expect(container.querySelector('.row-pending [data-row="2"]')).not.toBeNull());
});

test('on a desk, a key answers the open invitation while the row with the focus has been answered', async () => {
  isPhone = false;
  const { container, press } = await openList();
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  await press('r');
  await waitFor(() => expect(location.search).toBe('?sel=2'));
  await act(async () => container.querySelector<HTMLElement>('[data-row="1"]')!.focus());
  await press('r');
  await waitFor(() => expect(container.querySelector('.row-pending [data-row="2"]')).not.toBeNull());
});

test('what was chosen for an invitation counts for it alone, also if it is accepted with others', async () => {
  isPhone = false;
  const sent: unknown[] = [];
  const { container, press } = await openInbox('/invitations');
  await waitFor(() => expect(location.search).toBe('?sel=1'));
  const answerOther = globalThis.fetch;
  vi.stubGlobal('fetch', async (path: string, init?: { method?: string; body?: string }) => {
    if (init?.method === 'POST' && path === '/api/actions') sent.push(JSON.parse(init.body!));
    return answerOther(path, init);
  });
  const choice = () =>
    [...container.querySelectorAll('label')].find(({ textContent }) =>
      textContent?.includes(t.share_links.consent.allow),
    );
  await waitFor(() => expect(choice()).toBeDefined());
  await act(async () => choice()!.click());
  await press(t.invitations.select_all);
  await act(async () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toMatchObject([
    { about: { answer: 'accept', shown_by_links: true }, items: [{ id: '1' }] },
    { about: { answer: 'accept' }, items: [{ id: '2' }] },
  ]);
  expect(sent[1]).not.toMatchObject({ about: { shown_by_links: true } });
});
