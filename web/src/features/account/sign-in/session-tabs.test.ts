import { afterEach, expect, test, vi } from 'vitest';
import { announceDeletion, announceSignIn, announceSignOut, followSession } from './session-tabs.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.documentElement.hidden = false;
});

test.each([
  { end: announceSignOut, next: '/sign-in' },
  { end: announceDeletion, next: '/sign-in?deleted=1' },
  { end: anotherSignsIn, next: '/' },
])('what a user has typed is deleted with the session: $end.name', async ({ end, next }) => {
  const assign = vi.fn<(url: string) => void>();
  vi.stubGlobal('location', { assign });
  const stop = followSession('ann', () => undefined);
  sessionStorage.setItem('draft:swarm:ann', '{"name":"Harbour"}');
  end();
  expect(sessionStorage).toHaveLength(0);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(next));
  stop();
});

function anotherSignsIn() {
  announceSignIn('ben');
  dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
}

test('a page that opens does not replace a sign-out in another tab that has not arrived here', () => {
  announceSignIn('ann');
  const write = vi.spyOn(Storage.prototype, 'setItem');
  announceSignIn('ann');
  expect(write).not.toHaveBeenCalledWith('session_user', expect.anything());
  localStorage.clear();
});
