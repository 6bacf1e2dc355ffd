import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { actionsOf } from '../data/actions/actions.ts';
import { setLiveState } from '../data/stream/connection-status.ts';
import { silenceSound } from '../features/wall/silence-sound.ts';
import { waitFor } from '../ui/wait-for.fixture.ts';
import { followVersions, losesNothing, reloadIfNewer, useTakeWhenIdle } from './app-update.ts';

let hasInput = false;
let isUsed = false;
let isReachable = true;

let stop = () => {};
afterEach(() => {
  stop();
  hasInput = false;
  isUsed = false;
  isReachable = true;
  vi.unstubAllGlobals();
});

/** `isControlled`: whether a service worker served the page. */
async function setUp({ isControlled = true, isWaiting = true } = {}) {
  const reload = vi.fn<() => void>();
  const asked = vi.fn<(message: string) => void>();
  const update = vi.fn<() => Promise<void>>(async () => undefined);
  const waits = { postMessage: asked };
  const registration = Object.assign(new EventTarget(), {
    waiting: isWaiting ? waits : null,
    installing: null as EventTarget | null,
    update,
  });
  const worker = Object.assign(new EventTarget(), {
    controller: isControlled ? {} : null,
    register: async () => registration,
  });
  const onWait = vi.fn<(takeAnyway: () => void) => void>();
  const versions = followVersions({
    worker: worker as unknown as ServiceWorkerContainer,
    isReachable: () => isReachable,
    mayReload: () => !hasInput,
    isUsed: () => isUsed,
    reload,
    onWait,
  });
  stop = versions.stop;
  await Promise.resolve();
  /** The server has a new version, which the browser now installs. */
  const install = () => {
    const installing = Object.assign(new EventTarget(), { state: 'installing' });
    registration.installing = installing;
    registration.dispatchEvent(new Event('updatefound'));
    installing.state = 'installed';
    registration.waiting = waits;
    installing.dispatchEvent(new Event('statechange'));
  };
  const takeOver = () => worker.dispatchEvent(new Event('controllerchange'));
  return { ...versions, reload, asked, update, onWait, install, takeOver };
}

test('a page that was loaded in an older version takes the new one at once', async () => {
  const { reload, asked, takeOver } = await setUp();
  expect(asked).toHaveBeenCalledWith('take-over');
  takeOver();
  expect(reload).toHaveBeenCalledOnce();
});

test.each([false, true])('a version that arrives after the page waits if the page is used: %s', async (used) => {
  isUsed = used;
  const { install, asked, take } = await setUp({ isWaiting: false });
  install();
  expect(asked).toHaveBeenCalledTimes(used ? 0 : 1);
  take();
  expect(asked).toHaveBeenCalledWith('take-over');
});

test('a new version is taken when the page may load again', async () => {
  isUsed = true;
  const { take, reload, asked, takeOver } = await setUp();
  expect(asked).not.toHaveBeenCalled();
  take();
  expect(asked).toHaveBeenCalledWith('take-over');
  expect(reload).not.toHaveBeenCalled();
  takeOver();
  expect(reload).toHaveBeenCalledOnce();
});

test('without the server, a new version waits: it would have no data', async () => {
  isReachable = false;
  const { take, reload, asked, takeOver, onWait } = await setUp();
  take();
  // Another tab has taken it.
  takeOver();
  take();
  expect([asked.mock.calls, reload.mock.calls, onWait.mock.calls]).toEqual([[], [], []]);
  isReachable = true;
  take();
  expect(reload).toHaveBeenCalledOnce();
});

test('unsaved input keeps the version, also if another tab has taken the new one', async () => {
  hasInput = true;
  const { take, reload, asked, takeOver, onWait } = await setUp();
  take();
  takeOver();
  take();
  expect([asked.mock.calls, reload.mock.calls]).toEqual([[], []]);
  expect(onWait).toHaveBeenCalled();
  hasInput = false;
  take();
  expect(reload).toHaveBeenCalledOnce();
});

test('the user can take the version although there is unsaved input', async () => {
  hasInput = true;
  const { asked, onWait, takeOver, reload } = await setUp();
  onWait.mock.calls[0]![0]();
  expect(asked).toHaveBeenCalledWith('take-over');
  takeOver();
  expect(reload).toHaveBeenCalledOnce();
});

test('input that is typed while the new version starts keeps the page', async () => {
  const { take, reload, takeOver } = await setUp();
  take();
  hasInput = true;
  takeOver();
  expect(reload).not.toHaveBeenCalled();
});

test('the first service worker of a browser reloads nothing', async () => {
  const { take, reload, takeOver } = await setUp({ isControlled: false, isWaiting: false });
  takeOver();
  take();
  expect(reload).not.toHaveBeenCalled();
});

test('a page that stays open takes a new version when nobody has used it for ten minutes', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // Not the frames, of which a part that another file has left may draw sixty a second.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const take = vi.fn<() => void>();
  const minutes = async (count: number) => {
    for (let passed = 0; passed < count; passed += 1) await act(() => vi.advanceTimersByTimeAsync(60_000));
  };
  setLiveState('live');
  const Page = () => (useTakeWhenIdle({ enabled: true, take }), null);
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<Page />));
  await minutes(9);
  window.dispatchEvent(new Event('keydown'));
  await minutes(9);
  expect(take).not.toHaveBeenCalled();
  await minutes(2);
  expect(take).toHaveBeenCalled();
  // Without a server, the page would load without data.
  setLiveState('disconnected');
  take.mockClear();
  await minutes(5);
  expect(take).not.toHaveBeenCalled();
  setLiveState('live');
  // What loading again would end, and no browser starts by itself.
  Object.assign(document, { fullscreenElement: document.body });
  take.mockClear();
  await minutes(5);
  Reflect.deleteProperty(document, 'fullscreenElement');
  silenceSound.set('on');
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } });
  await minutes(5);
  expect(take).not.toHaveBeenCalled();
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } });
  await minutes(1);
  expect(take).toHaveBeenCalled();
  await act(async () => root.unmount());
  take.mockClear();
  await minutes(20);
  expect(take).not.toHaveBeenCalled();
  silenceSound.set('off');
  setLiveState(undefined);
  vi.useRealTimers();
});

test('a server that has restarted is asked for a new version', async () => {
  const { check, update } = await setUp({ isWaiting: false });
  expect(update).not.toHaveBeenCalled();
  check();
  expect(update).toHaveBeenCalledOnce();
});

test.each([true, false])(
  'a page that has failed loads again if the server has a newer version: %s',
  async (isNewer) => {
    const reload = vi.fn<() => void>();
    const installing = { postMessage: () => worker.dispatchEvent(new Event('controllerchange')) };
    const registration: { installing: object | null; waiting: null; update(): Promise<void> } = {
      installing: null,
      waiting: null,
      update: async () => void (registration.installing = isNewer ? installing : null),
    };
    const worker = Object.assign(new EventTarget(), { getRegistration: async () => registration });
    vi.stubGlobal('navigator', { serviceWorker: worker });
    vi.stubGlobal('location', { reload });
    await reloadIfNewer();
    expect(reload).toHaveBeenCalledTimes(isNewer ? 1 : 0);
  },
);

test('a page that uploads an import is not loaded again', async () => {
  vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
    if (path === '/api/actions') return Response.json({ id: 'a', state: 'uploading', items: [] });
    // As in a browser, also if it was aborted before it began.
    signal?.throwIfAborted();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const client = new QueryClient();
  const actions = actionsOf({ client });
  expect(losesNothing(client)).toBe(true);
  const items = Array.from({ length: actionLimits.part + 1 }, (_, row) => ({ id: String(row), name: 'Buoy' }));
  const started = actions.start({ kind: 'delete', about: {}, items }, 'a');
  await waitFor(() => expect(actions.hasUnsaved()).toBe(true));
  expect(losesNothing(client)).toBe(false);
  await actions.stop('a');
  await started;
  expect(losesNothing(client)).toBe(true);
});
