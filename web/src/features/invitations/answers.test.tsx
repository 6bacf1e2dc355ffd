import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveActions } from '../../data/actions/actions.fixture.ts';
import type { ActionOutbox, StartOptions } from '../../data/actions/action-store.ts';
import { actionsOf } from '../../data/actions/actions.ts';
import { itemOf, minuteOf } from '../../data/cache/invitation.fixture.ts';
import { FailureReason, PendingAnswer, useAnswer, useAnswers, type Answer } from '../../shared/actions/answers.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { useAnsweringCount } from './inbox-count.api.ts';

beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

const ends_at = minuteOf(50);
const [one, two] = [itemOf('1', 2, { ends_at }), itemOf('2', 1)];

/** The state of an invitation, how many are being answered, and a button. */
function Row({ answer }: { answer: Answer }) {
  const start = useAnswers();
  const { pending, failure } = useAnswer('1');
  return (
    <>
      <button type="button" aria-label="Answer" onClick={() => start(answer, [one, two])} />
      <p>{[useAnsweringCount('received'), useAnsweringCount('sent')].join(' ')}</p>
      {pending && <PendingAnswer pending={pending} />}
      {failure && <FailureReason item={one} box="received" failure={failure} />}
    </>
  );
}

async function setUp(answer: Answer, respond?: () => never) {
  const server = serveActions(respond && { answer: respond });
  const client = new QueryClient();
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Row answer={answer} />
      </QueryClientProvider>,
    ),
  );
  await act(async () => page.querySelector('button')?.click());
  return { server, page, tab: actionsOf({ client }), end: () => act(async () => root.unmount()) };
}

test('a pending answer has Undo, at the other end for each answer, and its invitation is not counted as open', async () => {
  const { server, page, end } = await setUp('accept');
  expect(server.requests.at(-1)?.body).toMatchObject({ kind: 'answer', about: { answer: 'accept' }, wait: 10 });
  const { items } = server.requests.at(-1)!.body as { items: object[] };
  expect([items[0], items[1]]).toMatchObject([{ id: '1', ends_at }, { id: '2' }]);
  expect(items[1]).not.toHaveProperty('ends_at');
  expect(page.textContent).toMatch(/^2 0Accepting…Undo/);
  await end();
  const rejected = await setUp('reject');
  expect(rejected.page.textContent).toMatch(/Undo.*Rejecting…$/);
  await rejected.end();
});

test('an Accept that does not reach the server waits with the invitations as they were shown, and a Reject without', async () => {
  for (const [answer, shown] of [
    ['accept', [one, two]],
    ['reject', undefined],
  ] as const) {
    const { tab, end } = await setUp(answer, () => {
      throw new TypeError('no network');
    });
    const waiting: StartOptions[] = [];
    const add: ActionOutbox['add'] = async ({ options }) => waiting.push(options) > 0;
    await act(async () => tab.postponeWith({ add, keepUntil() {}, remove: async () => undefined }, new Map()));
    await waitFor(() => expect(waiting).toMatchObject([{ kind: 'answer', about: { answer } }]));
    expect(waiting[0]!.shown).toEqual(shown);
    await end();
  }
});

test('a sent invitation is withdrawn', async () => {
  const { server, page, end } = await setUp('withdraw');
  expect(server.requests.at(-1)?.body).toMatchObject({ kind: 'withdraw', items: [{ id: '1' }, { id: '2' }] });
  expect(page.textContent).toMatch(/^0 2/);
  await end();
});

test('an answer that failed says why, until it is answered again', async () => {
  const { server, page, tab, end } = await setUp('accept');
  const [{ id } = { id: '' }] = tab.list();
  server.change(id, { state: 'ended', done: 2, failed: 1, results: [{ code: 'swarm.not_found' }, null] });
  await act(async () => tab.read(new AbortController().signal));
  expect(page.textContent).toBe('0 0The swarm has been deleted.');
  await act(async () => page.querySelector('button')?.click());
  expect(page.textContent).toMatch(/^2 0Accepting…/);
  await end();
});
