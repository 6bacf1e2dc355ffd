import { QueryClient } from '@tanstack/react-query';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem } from '../../data/actions/actions.fixture.ts';
import { accountQuery } from '../../shared/account/account.api.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { discardUnsavedInput } from '../../ui/fields/unsaved-input.ts';
import { SwarmPage } from './swarm-page.tsx';
import { swarmQuery } from './swarms.api.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const swarm: SwarmItem = {
  id: 's',
  user_id: 'ann',
  name: 'Harbour',
  description: '',
  public: false,
  listed: false,
  created_at: '2026-01-02T03:00:00.000Z',
  active_at: null,
  relation: 'owner',
  member_count: 0,
  members: null,
  accepts_requests: false,
  may_ask: false,
  own: { producer: 0, consumer: 0, both: 0 },
  invitations: null,
};

/** Undefined: it is gone. */
let now: SwarmItem | undefined;
let page: Awaited<ReturnType<typeof mountPart>>;

beforeEach(async () => {
  await loadTexts('en');
  now = swarm;
  vi.stubGlobal('fetch', async (path: string) => {
    // The boxes below the form are of no interest.
    if (!path.endsWith('/overview')) return problem('server.failed', 500);
    return now ? Response.json(now) : problem('swarm.not_found', 404);
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(accountQuery.queryKey, { user_id: 'ann' } as never);
  history.replaceState(null, '', '/swarms/s?tab=settings');
  const none = { map: null, activity: null, messages: null, values: null, shareLinks: null };
  page = await mountPart(<SwarmPage id="s" user_id="ann" {...none} />, client);
  await shows(t.swarms.settings.save);
});
afterEach(async () => {
  await page.unmount();
  discardUnsavedInput();
});

/** Renders what is there, until the page has the text: a transition renders only when `act` ends. */
const shows = (text: string) => waitFor(() => expect(page.container.textContent).toContain(text));
const nameField = () => page.container.querySelector<HTMLInputElement>('form input');
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(nameField(), text);
    nameField()!.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
const readAgain = () => act(async () => page.client.refetchQueries({ queryKey: swarmQuery('s').queryKey }));

test.each<[string, SwarmItem | undefined, () => string]>([
  ['is deleted', undefined, () => t.swarms.page.gone],
  ['is handed over', { ...swarm, relation: 'manager', user_id: 'ben' }, () => t.swarms.settings.not_yours],
])('what was typed in the settings of a swarm that %s stays, and the page says so', async (_, next, text) => {
  await type('Harbour 2');
  now = next;
  await readAgain();
  await shows(text());
  expect(nameField()!.value).toBe('Harbour 2');
  // A swarm that is deleted looks as before: what is sent fails.
  const offers = (label: string) => page.container.textContent.includes(label);
  expect([offers(t.swarms.settings.save), offers(t.swarms.settings.delete)]).toEqual([
    next === undefined,
    next === undefined,
  ]);
});

test('the page of a swarm that is deleted, with nothing typed, says only that', async () => {
  now = undefined;
  await readAgain();
  await shows(t.swarms.page.not_found_title);
  expect(nameField()).toBeNull();
});
