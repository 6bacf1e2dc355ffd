import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import {
  announceDeletion,
  announceSignIn,
  announceSignOut,
  followSession,
  isKept,
  leavePage,
  onSessionEnd,
  rememberFeed,
  wasRestored,
  type SessionEnd,
} from './session-tabs.ts';
import { accountQuery } from './account.api.ts';
import { forgetPage } from '../../data/new-page.ts';
import { createPreference } from '../../ui/browser/preference.ts';
import { reported } from '../../ui/fields/unsaved-input.ts';
import { feedPosition } from '../../data/stream/feed-position.ts';

const input = Symbol();
afterEach(() => {
  forgetPage();
  vi.unstubAllGlobals();
  document.documentElement.hidden = false;
});

test.each([
  { end: announceSignOut, next: '/sign-in' },
  { end: announceDeletion, next: '/sign-in?deleted=1' },
])('what a user has typed is deleted with the session: $end.name', async ({ end, next }) => {
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  const stop = followSession('ann', () => undefined);
  localStorage.setItem('code_label', 'name');
  localStorage.setItem('theme', 'dark');
  const ended = vi.fn<(end: SessionEnd) => Promise<void>>();
  const forget = onSessionEnd(ended);
  sessionStorage.setItem('draft:swarm:ann', '{"name":"Harbour"}');
  end();
  expect(sessionStorage).toHaveLength(0);
  expect([localStorage.getItem('code_label'), localStorage.getItem('theme')]).toEqual([null, 'dark']);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(next));
  expect(ended).toHaveBeenCalledExactlyOnceWith('by_user');
  forget();
  stop();
});

test('the tab in which another user signs in deletes what the last one has left, once', () => {
  const label = createPreference({ key: 'code_label', values: ['id', 'name'] });
  const ended = vi.fn<(end: SessionEnd) => Promise<void>>();
  const forget = onSessionEnd(ended);
  announceSignIn('ann');
  label.set('name');
  announceSignIn('ann');
  expect([label.get(), ended.mock.calls]).toEqual(['name', []]);
  announceSignIn('ben');
  expect([label.get(), localStorage.getItem('code_label')]).toEqual(['id', null]);
  // What waits to be sent is deleted only if its user has signed out.
  expect(ended).toHaveBeenCalledExactlyOnceWith('by_another');
  label.set('name');
  announceSignIn('ben');
  expect([label.get(), ended.mock.calls.length]).toEqual(['name', 1]);
  localStorage.clear();
  forget();
});

test.each(['storage', 'pageshow'])(
  'a page that wakes up after another user has signed in deletes nothing: %s',
  async (event) => {
    const assign = vi.fn<(url: string) => void>();
    vi.stubGlobal('location', { assign });
    const ended = vi.fn<(end: SessionEnd) => Promise<void>>();
    const forget = onSessionEnd(ended);
    const stop = followSession('ann', () => undefined);
    localStorage.setItem('session_user', 'ben');
    localStorage.setItem('code_label', 'name');
    sessionStorage.setItem('draft:swarm:ann', '{"name":"Harbour"}');
    dispatchEvent(event === 'storage' ? new StorageEvent('storage', { key: 'session_user' }) : shown(true));
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
    expect([localStorage.getItem('code_label'), sessionStorage.length, ended.mock.calls]).toEqual(['name', 0, []]);
    localStorage.clear();
    forget();
    stop();
  },
);

test.each(['', 'ben'])(
  'a page that has just loaded stays, also if this browser last knew of “%s”: it could load itself for ever',
  (before) => {
    const assign = vi.fn<(url: string) => void>();
    vi.stubGlobal('location', { assign });
    localStorage.setItem('session_user', before);
    // The server has said that ann is signed in, which this browser does not know yet.
    const stop = followSession('ann', () => undefined);
    dispatchEvent(shown(false));
    expect([document.documentElement.hidden, isKept()]).toEqual([false, false]);
    expect(assign).not.toHaveBeenCalled();
    localStorage.clear();
    stop();
  },
);

/** `persisted`: the browser has restored the page from its back/forward cache. */
const shown = (persisted: boolean) => Object.assign(new Event('pageshow'), { persisted });

test('what is typed stays when another user signs in, whose account this page refuses', async () => {
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  const cover = vi.fn<() => void>();
  const stop = followSession('ann', cover);
  reported.set(input, 'typed');
  anotherSignsIn();
  expect(cover).toHaveBeenCalledOnce();
  expect(reported.has(input)).toBe(true);
  expect(assign).not.toHaveBeenCalled();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let user_id = 'ben';
  vi.stubGlobal('fetch', async () => Response.json({ user_id }));
  const read = () => client.fetchQuery({ ...accountQuery, staleTime: 0 });
  await expect(read()).rejects.toMatchObject({ code: 'session.missing' });
  user_id = 'ann';
  await expect(read()).resolves.toEqual({ user_id });
  announceSignIn('ann');
  expect(isKept()).toBe(false);
  reported.clear();
  stop();
});

test('a page that stays for its input keeps only its drafts, until it is left', () => {
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  const ended = vi.fn<(end: SessionEnd) => Promise<void>>();
  const forget = onSessionEnd(ended);
  const stop = followSession('ann', () => undefined);
  localStorage.setItem('code_label', 'name');
  sessionStorage.setItem('draft:swarm:ann', '{"name":"Harbour"}');
  reported.set(input, 'typed');
  announceSignOut();
  expect([localStorage.getItem('code_label'), sessionStorage.length]).toEqual([null, 1]);
  expect(ended).toHaveBeenCalledExactlyOnceWith('by_user');
  ended.mockClear();
  // What is there from now on is of the next user.
  anotherSignsIn();
  localStorage.setItem('code_label', 'id');
  anotherSignsIn();
  leavePage();
  expect([localStorage.getItem('code_label'), sessionStorage.length, reported.size]).toEqual(['id', 0, 0]);
  expect(ended).not.toHaveBeenCalled();
  expect(assign.mock.calls).toEqual([['/sign-in']]);
  localStorage.clear();
  forget();
  stop();
});

/** In another tab, where what the last one has left is deleted. */
function anotherSignsIn() {
  localStorage.setItem('session_user', 'ben');
  dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
}

test('a page that opens does not replace a sign-out in another tab that has not arrived here', () => {
  announceSignIn('ann');
  const write = vi.spyOn(Storage.prototype, 'setItem');
  announceSignIn('ann');
  expect(write).not.toHaveBeenCalledWith('session_user', expect.anything());
  localStorage.clear();
});

test.each([
  ['the name of a restored feed', 'r0a1b-0', true],
  ['the name of a feed that was moved', '0a1b-0', false],
  ['the same name', 'r77-0', false],
  ['no name', null, false],
])('a session has ended by a restore if the refusal has %s', (_case, id, is) => {
  feedPosition.note('r77-12');
  rememberFeed();
  feedPosition.noteRefusal(id);
  expect(wasRestored()).toBe(is);
  localStorage.removeItem('feed');
  expect(wasRestored()).toBe(false);
  feedPosition.forget();
});
