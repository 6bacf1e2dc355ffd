import type { Account } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetPage } from '../../data/new-page.ts';
import { followSession } from '../../shared/account/session-tabs.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { reported } from '../../ui/fields/unsaved-input.ts';
import { SessionEnded } from './session-ended.tsx';

beforeAll(() => loadTexts('en'));
// Tests of other files share the modules.
beforeEach(forgetAll);
afterEach(forgetAll);
function forgetAll() {
  localStorage.clear();
  forgetPage();
}

test('who has signed out is told so until another user signs in, and once that what was typed is still here', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const say = (user: string) =>
    act(async () => {
      localStorage.setItem('session_user', user);
      dispatchEvent(new StorageEvent('storage', { key: 'session_user' }));
    });
  followSession('ann', () => undefined);
  reported.set(Symbol(), 'typed');
  await say('');
  const session_expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const { container, unmount } = await mountPart(
    <SessionEnded account={{ user_id: 'ann', session_expires_at } as Account} />,
  );
  const says = (why: keyof typeof t.account.session.ended) =>
    container.textContent.includes(t.account.session.ended[why].split('{age}')[0]!);
  expect([says('signed_out'), says('another')]).toEqual([true, false]);
  await say('bert');
  expect([says('signed_out'), says('another')]).toEqual([false, true]);
  expect(container.textContent.match(/still here/g)).toHaveLength(1);
  await unmount();
});
