import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, serveActions } from '../data/actions/actions.fixture.ts';
import { itemOf } from '../data/cache/invitation.fixture.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { OfflineError } from '../data/problem.ts';
import { foreignResponse } from '../data/responses.fixture.ts';
import { actionsOf, useActionRequests } from '../data/actions/actions.ts';
import { usePending } from '../data/actions/shown-actions.ts';
import { UndoButton } from '../shared/actions/undo-button.tsx';
import { t } from '../text/text.ts';
import { touch } from '../ui/browser/media.ts';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../ui/urls/router.tsx';
import { NowProvider } from '../ui/texts/time.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { UndoKey } from './undo-key.tsx';
import { UndoToasts } from './undo-toasts.tsx';

let root: Root;
let server: ReturnType<typeof serveActions>;
let client: QueryClient;

const screen = { media: '' };
const swarm = { id: 's', name: 'Harbour' };

function Page() {
  const { start } = useActionRequests();
  const pending = usePending('resource:3');
  const destroy = (...ids: string[]) =>
    void start({ kind: 'delete', about: {}, items: ids.map((id) => ({ id, name: `Sensor ${id}` })) });
  return (
    <>
      <p>{pending?.action.state ?? 'at rest'}</p>
      <main>{pending && <UndoButton pending={pending}>Undo</UndoButton>}</main>
      <button type="button" id="destroy" onClick={() => destroy('3')}>
        Destroy
      </button>
      <button type="button" id="destroy-other" onClick={() => destroy('4')}>
        Destroy
      </button>
      <button
        type="button"
        id="remove"
        onClick={() => void start({ kind: 'remove_member', about: { swarm }, items: [{ id: '3', name: 'Sensor 3' }] })}
      >
        Remove
      </button>
      {(['producer', 'consumer'] as const).map((resource_type) => (
        <button
          key={resource_type}
          type="button"
          id={resource_type}
          onClick={() =>
            void start({
              kind: 'change_role',
              about: { swarm, resource_type },
              items: [{ id: '3', name: 'Sensor 3' }],
            })
          }
        >
          Change role
        </button>
      ))}
      <button
        type="button"
        id="offer"
        onClick={() =>
          void start({
            kind: 'offer_end',
            about: { swarm, ends_at: '2026-11-20T12:00:00.000Z' },
            items: [{ id: '3', name: 'Sensor 3' }],
          })
        }
      >
        Offer
      </button>
      <button
        type="button"
        id="withdraw"
        onClick={() =>
          void start({ kind: 'withdraw', about: {}, items: [{ id: 'q', name: 'Buoy', is_request: true }] })
        }
      >
        Withdraw
      </button>
      <button type="button" id="destroy-many" onClick={() => destroy('3', '4', '5')}>
        Destroy
      </button>
    </>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  screen.media = '';
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return query === screen.media;
    },
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.useFakeTimers();
  server = serveActions();
  client = new QueryClient();
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => root.render(page()));
});

const page = () => (
  <QueryClientProvider client={client}>
    <HistoryRouter>
      <KeysProvider>
        <NowProvider>
          <ToastProvider>
            <Page />
            <UndoKey />
            <UndoToasts />
          </ToastProvider>
        </NowProvider>
      </KeysProvider>
    </HistoryRouter>
  </QueryClientProvider>
);

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  // jsdom moves the focus on by an interval, and the window outlives this file.
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const click = (selector: string) => act(async () => document.querySelector<HTMLElement>(selector)?.click());
const add = () => click('#destroy');
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));
const toasts = () => document.querySelector<HTMLElement>('.undo-toasts');
const undo = () => document.querySelector<HTMLElement>('.undo-toasts button');
const pressZ = async () => {
  await act(async () =>
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true })),
  );
  await act(() => vi.dynamicImportSettled());
};
/** When it runs, in seconds from now. */
const runsIn = () => [...server.actions.values()].map(({ runs_at }) => (Date.parse(runs_at ?? '') - Date.now()) / 1000);
/** An event of the server about the only action. */
const change = (next: Parameters<typeof server.change>[1]) =>
  act(async () => actionsOf({ client }).onEvent(server.change([...server.actions.keys()][0]!, next)));

/** The event of the end of the last action, a second later. */
async function endLast({ failed }: { failed: number }) {
  await pass(1000);
  const id = [...server.actions.keys()].at(-1)!;
  const ended_at = new Date().toISOString();
  await act(async () =>
    actionsOf({ client }).onEvent(server.change(id, { state: 'ended', done: 1, failed, ended_at })),
  );
  await pass(0);
}

it('shows a pending action and its seconds, in its toast and in its row', async () => {
  await add();
  await pass(2000);
  expect(toasts()?.textContent).toContain('Deleting Sensor 3');
  expect(undo()?.textContent).toContain('Undo (8 s)');
  expect(document.querySelector('p')?.textContent).toBe('pending');
});

it('undoes an action by a click and by Z', async () => {
  await add();
  await act(async () => undo()?.click());
  await add();
  await pressZ();
  expect(server.actions.size).toBe(0);
  expect(document.querySelector('p')?.textContent).toBe('at rest');
});

it('announces what can be undone and how, and what was undone; and shows what was done', async () => {
  const announced = () => document.querySelector('output')?.textContent;
  await add();
  expect(announced()).toBe('Deleting Sensor 3. You have 10 seconds to undo it: press Z.');
  await act(async () => undo()?.click());
  expect(announced()).toBe('Undone: Deleting Sensor 3');
  // A phone has no keys.
  screen.media = touch;
  await add();
  expect(announced()).toBe('Deleting Sensor 3. You have 10 seconds to undo it.');
  await act(async () => undo()?.click());
  await add();
  await change({ state: 'ended', done: 1, can_undo: true });
  expect(document.querySelector('.toasts:not(.undo-toasts)')?.textContent).toContain('Sensor 3 deleted');
  expect(toasts()?.textContent).toBe('');
});

it('asks before the undo of an import, which nothing brings back', async () => {
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  await add();
  await change({ kind: 'import', about: { file: 'buoys.csv' }, state: 'ended', done: 1, can_undo: true } as never);
  await click('.toasts:not(.undo-toasts) .button-small');
  expect(server.sent()).not.toContain('POST /api/actions/id/undo');
  expect(document.querySelector('dialog')?.textContent).toContain(t.activity.actions.undo_final);
  await click('dialog .button-danger-primary');
  await pass(0);
  expect(server.sent()).toContain('POST /api/actions/id/undo');
});

it('does not say that an undo has failed whose answer was lost', async () => {
  await add();
  await change({ state: 'ended', done: 1, can_undo: true });
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Welcome</h1>'));
  await click('.toasts:not(.undo-toasts) .button-small');
  await pass(0);
  const { textContent } = document.body;
  expect(textContent).toContain(t.bulk.undo_unknown);
  expect(textContent).toContain(t.bulk.undo_unknown_ended);
  expect(textContent).not.toContain(t.bulk.not_changed);
});

it('does not say that the undo of a pending action was not sent whose answer was lost', async () => {
  await add();
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Welcome</h1>'));
  await act(async () => undo()?.click());
  await pass(0);
  const { textContent } = document.body;
  expect(textContent).toContain(t.bulk.undo_unknown);
  expect(textContent).toContain(t.bulk.undo_unknown_text);
  expect(textContent).not.toContain(t.bulk.undo_not_sent);
});

it.each(['pause', 'stop', 'dismiss'] as const)('does not take a %s without an answer for an undo', async (change) => {
  await add();
  const [id] = server.actions.keys();
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Welcome</h1>'));
  await act(async () => void actionsOf({ client })[change](id!));
  await pass(0);
  const { textContent } = document.body;
  expect(textContent).toContain(t.problems['service.no_answer']);
  expect(textContent).not.toContain(t.bulk.undo_unknown);
});

it('says that a later end was offered, which no row shows', async () => {
  await click('#offer');
  await change({ state: 'ended', done: 1 });
  expect(document.querySelector('.toasts:not(.undo-toasts)')?.textContent).toContain('Later end offered for Sensor 3');
});

it('offers no seconds while the server cannot be reached', async () => {
  const queryFn = () => Promise.reject(new OfflineError());
  const end = new QueryObserver(client, { queryKey: ['any'], queryFn, retry: false }).subscribe(() => {});
  await pass(0);
  await add();
  expect(document.querySelector('output')?.textContent).toBe('Deleting Sensor 3. Waiting to be sent');
  end();
});

it('names what may have been started, and whose answer was lost', async () => {
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Welcome</h1>'));
  await add();
  await pass(70_000);
  const notices = document.querySelector('.toasts:not(.undo-toasts)')!.textContent;
  expect(notices).toContain('Deleting Sensor 3');
  expect(notices).toContain(t.problems['service.no_answer']);
});

it('does not keep the notice of what could not be started once it is started again', async () => {
  const notices = () => document.querySelector('.toasts:not(.undo-toasts)')?.textContent;
  vi.stubGlobal('fetch', async () => problem('internal', 500));
  await add();
  await pass(0);
  expect(notices()).toContain('1 device was not deleted');
  serveActions();
  await click('#destroy-other');
  expect(notices()).toContain('1 device was not deleted');
  await add();
  expect(notices()).toBe('');
});

it.each([
  ['it is pending', { state: 'pending', done: 0, changed: 0, ended_at: null }],
  ['its result arrives', { state: 'ended', done: 1, changed: 1, ended_at: new Date().toISOString() }],
])('does not offer to try again what was started once %s: only the answer was lost', async (_, event) => {
  const notices = () => document.querySelector('.toasts:not(.undo-toasts)')?.textContent;
  let sent = {};
  serveActions({
    answer: ({ method, body }) => {
      if (method !== 'POST') return undefined;
      sent = body;
      return problem('internal', 500);
    },
  });
  await add();
  await pass(0);
  expect(notices()).toContain('1 device was not deleted');
  const [created_at, runs_at] = [Date.now(), Date.now() + 10_000].map((time) => new Date(time).toISOString());
  const started = { ...sent, ...event, total: 1, failed: 0, created_at, runs_at };
  await act(async () => actionsOf({ client }).onEvent(started as never));
  expect(notices()).toBe('');
  expect(undo() !== null).toBe(event.state === 'pending');
});

it('keeps the notice of what could not be started when something else is started with the same member', async () => {
  const notices = () => document.querySelector('.toasts:not(.undo-toasts)')?.textContent;
  vi.stubGlobal('fetch', async () => problem('internal', 500));
  await click('#remove');
  await pass(0);
  expect(notices()).toContain('1 device was not removed');
  serveActions();
  await click('#producer');
  expect(notices()).toContain('1 device was not removed');
  await click('#remove');
  expect(notices()).toBe('');
});

it.each([
  { failed: '#remove', other: '#producer', notice: '1 device was not removed' },
  { failed: '#producer', other: '#consumer', notice: '1 role was not changed' },
])('keeps the notice that $failed has failed when $other is done with the same member', async (of) => {
  await click(of.failed);
  await endLast({ failed: 1 });
  await click(of.other);
  await endLast({ failed: 0 });
  expect(toasts()?.textContent).toContain(of.notice);
  await click(of.failed);
  await endLast({ failed: 0 });
  expect(toasts()?.textContent).toBe('');
});

it('keeps the notice of what has failed in another tab after it was done here', async () => {
  await add();
  await endLast({ failed: 0 });
  await pass(1000);
  const [done] = server.actions.values();
  const ended_at = new Date().toISOString();
  server.actions.set('other', { ...done!, id: 'other', failed: 1, ended_at });
  await act(async () => void (await actionsOf({ client }).read(new AbortController().signal)));
  await click('#destroy-other');
  await endLast({ failed: 0 });
  expect(toasts()?.textContent).toContain('1 device was not deleted');
});

it('announces which row of a larger action was undone', async () => {
  await click('#destroy-many');
  await click('main button');
  expect(document.querySelector('output')?.textContent).toBe('Undone: Deleting Sensor 3');
  expect(toasts()?.textContent).toContain('Deleting 2 devices');
});

it('says that one record waits for a server that can store nothing', async () => {
  await add();
  await change({ state: 'running', is_waiting: true });
  await pass(1000);
  expect(toasts()?.textContent).toContain('Waiting for the server…');
});

it('says why one record is paused after a restore, and lets it go on', async () => {
  await add();
  await change({ state: 'paused', is_restored: true });
  expect(toasts()?.textContent).toContain('The server was restored from a backup.');
  expect([...document.querySelectorAll('.undo-toasts button')].map(({ textContent }) => textContent)).toEqual([
    'Resume',
    'Stop',
  ]);
});

it('shows the progress of what takes long, and what has failed until the user dismisses it', async () => {
  await add();
  await change({ state: 'running', total: 900, done: 300 });
  expect(toasts()?.textContent).toBe('');
  await pass(1000);
  expect(toasts()?.textContent).toContain('300 of 900');
  await change({ state: 'ended', done: 900, failed: 2 });
  expect(toasts()?.textContent).toContain('2 devices were not deleted');
  await pass(60_000);
  const folded = toasts()?.querySelector<HTMLElement>('[aria-expanded="false"]');
  expect(folded?.textContent).toBe('2 failed: 2 devices were not deleted');
  await act(async () => folded?.click());
  expect(toasts()?.textContent).toContain('2 devices were not deleted');
  await act(async () => toasts()?.querySelector<HTMLElement>('[title="Dismiss"]')?.click());
  expect(toasts()?.textContent).toBe('');
});

it("shows a server's sentence as it is", async () => {
  await click('#destroy-many');
  const detail = 'The device sends {name} and {word}.';
  const results = [null, { code: 'of_a_later_server', title: '', detail }, null] as never;
  const ended = server.change([...server.actions.keys()][0]!, { state: 'ended', done: 3, failed: 1 });
  await act(async () => actionsOf({ client }).onEvent({ ...ended, results } as typeof ended));
  expect(toasts()?.textContent).toContain(`Sensor 4: ${detail}`);
});

it('names the only device of an action that has failed', async () => {
  await add();
  const ended = server.change([...server.actions.keys()][0]!, { state: 'ended', done: 1, failed: 1 });
  const results = [{ code: 'resource.not_found', title: '', detail: '' }] as never;
  await act(async () => actionsOf({ client }).onEvent({ ...ended, results } as typeof ended));
  expect(toasts()?.textContent).toContain('Sensor 3: ');
});

it('says of a request that was accepted before it was withdrawn that the device is a member now', async () => {
  const request = itemOf('q', 1, { is_request: true, status: 'accepted', to: 'ann' });
  client.setQueryData(queryKeys.invitations.item('q'), { ...request, changed_at: new Date().toISOString() });
  await click('#withdraw');
  const results = [{ code: 'join_request.already_answered', title: '', detail: '' }] as never;
  const ended = server.change([...server.actions.keys()][0]!, { state: 'ended', done: 1, failed: 1 });
  await act(async () => actionsOf({ client }).onEvent({ ...ended, results } as typeof ended));
  const { name } = request.device!;
  expect(toasts()?.textContent).toContain(`${name} is in ${request.swarm.name} now: the request was accepted.`);
});

describe('the notice of what has failed', () => {
  const folded = () => toasts()?.querySelector<HTMLElement>('[aria-expanded="false"]') ?? null;
  const dialog = () => document.querySelector<HTMLElement>('dialog');
  const close = () => act(async () => dialog()?.querySelector<HTMLElement>('[data-autofocus]')?.click());
  beforeEach(async () => {
    HTMLDialogElement.prototype.showModal = () => undefined;
    HTMLDialogElement.prototype.close = () => undefined;
    await add();
    await change({ state: 'ended', done: 1, failed: 1, ended_at: new Date().toISOString() });
  });

  it('is removed once the user has seen the reasons', async () => {
    await act(async () => undo()?.click());
    await pass(0);
    expect(dialog()?.textContent).toContain('1 device was not deleted');
    await close();
    await pass(0);
    expect(dialog()).toBeNull();
    expect(toasts()?.textContent).toBe('');
  });

  it('is folded in a tab that is opened later', async () => {
    await change({ ended_at: new Date(Date.now() - 60_000).toISOString() });
    expect(toasts()?.textContent).toContain('1 device was not deleted');
    await act(async () => root.unmount());
    root = createRoot(document.body.appendChild(document.createElement('div')));
    await act(async () => root.render(page()));
    expect(folded()?.textContent).toContain('1 failed');
  });

  it('has the focus after it was unfolded, and is not folded again while it has it', async () => {
    await pass(60_000);
    await act(async () => {
      folded()?.focus();
      folded()?.click();
    });
    await pass(0);
    expect(document.activeElement?.textContent).toBe('Show');
    await pass(60_000);
    expect(folded()).toBeNull();
    await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.focus());
    await pass(60_000);
    expect(folded()).not.toBeNull();
  });

  it('is one button with all others that are folded, which unfolds or dismisses them', async () => {
    await pass(1000);
    await click('#remove');
    await endLast({ failed: 1 });
    await pass(60_000);
    expect(toasts()?.querySelectorAll('[aria-expanded]')).toHaveLength(1);
    expect(folded()?.textContent).toBe('2 failed: 1 device was not deleted and 1 device was not removed');
    await act(async () => folded()?.click());
    expect(toasts()?.textContent).toContain('1 device was not deleted');
    expect(toasts()?.textContent).toContain('1 device was not removed');
    await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.focus());
    await pass(60_000);
    await click(`.undo-toasts [title="${t.bulk.dismiss_failed}"]`);
    await pass(0);
    expect(toasts()?.textContent).toBe('');
    expect(server.sent().filter((path) => path.endsWith('/dismiss'))).toHaveLength(2);
  });

  it('is not folded under the pointer by what happens meanwhile', async () => {
    const notice = document.querySelector('.undo-toasts > div')!;
    await act(async () => notice.dispatchEvent(new MouseEvent('pointermove', { bubbles: true, movementX: 1 })));
    await pass(60_000);
    await click('#destroy-other');
    expect(folded()).toBeNull();
    expect(toasts()?.textContent).toContain('1 device was not deleted');
  });

  it('takes no focus when it appears', () => expect(document.activeElement).toBe(document.body));

  it('goes once what has failed was done by another action, and not before', async () => {
    await click('#destroy-other');
    await endLast({ failed: 0 });
    await add();
    await endLast({ failed: 1 });
    expect(toasts()?.textContent).toContain('1 device was not deleted');
    await add();
    await endLast({ failed: 0 });
    expect(toasts()?.textContent).toBe('');
  });

  it.each(['loading', 'failed'])('stays if the reasons were not shown (%s)', async (state) => {
    vi.stubGlobal('fetch', async () => (state === 'failed' ? problem('internal', 500) : new Promise(() => undefined)));
    await act(async () => undo()?.click());
    // Longer than the retries take.
    await pass(60_000);
    await close();
    await pass(0);
    expect(dialog()).toBeNull();
    expect(folded()?.textContent).toContain('1 failed');
  });
});

for (const place of ['main', '.undo-toasts'])
  it(`stops the countdown while an Undo button in ${place} has focus`, async () => {
    await add();
    const button = () => document.querySelector<HTMLElement>(`${place} button`)!;
    await act(async () => button().focus());
    await pass(60_000);
    expect(undo()?.textContent).toContain('Undo (10 s)');
    expect(runsIn()[0]).toBeGreaterThanOrEqual(10);
    await act(async () => button().blur());
    await pass(0);
    expect(runsIn()).toEqual([10]);
  });

it('returns the focus of an undone toast to where it came from', async () => {
  await add();
  await act(async () => document.querySelector<HTMLElement>('#destroy-other')?.focus());
  await act(async () => undo()?.focus());
  await pressZ();
  expect(undo()).toBeNull();
  expect(document.activeElement?.id).toBe('destroy-other');
});

it('says that an undo could not be sent, counts on, and offers none after the time', async () => {
  await add();
  const respond = globalThis.fetch;
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const main = () => document.querySelector('main')?.textContent;
  await act(async () => document.querySelector<HTMLElement>('main button')?.focus());
  await click('main button');
  expect(main()).toBe('Undoing…');
  expect(undo()?.textContent).toContain('Undoing…');
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')));
  await act(async () => answer.reject(new TypeError('no network')));
  await pass(4000);
  expect(document.body.textContent).toContain('The server did not answer your undo');
  expect(main()).toBe('Undo');
  expect(undo()?.textContent).toContain('Undo (6 s)');
  await pass(7000);
  expect([main(), undo()]).toEqual(['', null]);
  vi.stubGlobal('fetch', respond);
});
