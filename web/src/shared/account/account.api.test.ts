import { expect, test, vi } from 'vitest';
import { problem } from '../../data/actions/actions.fixture.ts';
import { sendDueSignOut } from './account.api.ts';
import { dueSignOut } from './session-tabs.ts';

test.each([
  { status: 204, isLeft: false },
  { status: 400, isLeft: false },
  { status: 401, isLeft: false },
  { status: 429, isLeft: true },
  { status: 500, isLeft: true },
  { status: 503, isLeft: true },
])('a sign-out that is due is left after an answer with $status: $isLeft', async ({ status, isLeft }) => {
  dueSignOut.set('session');
  vi.stubGlobal('fetch', async () => (status === 204 ? new Response(null, { status }) : problem('a.code', status)));
  const [sent] = await Promise.allSettled([sendDueSignOut(new AbortController().signal)]);
  expect(sent.status).toBe(isLeft ? 'rejected' : 'fulfilled');
  expect(dueSignOut.get()).toBe(isLeft ? 'session' : null);
  dueSignOut.set(null);
  vi.unstubAllGlobals();
});
