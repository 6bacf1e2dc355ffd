import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { hourMs } from '@swarmdeck/bff/durations';
import { queryKeys } from '../data/cache/query-keys.ts';
import { forgetPage } from '../data/new-page.ts';
import { send } from '../data/client.ts';
import { OfflineError } from '../data/problem.ts';
import { foreignResponse } from '../data/responses.fixture.ts';
import { observeServerTime } from '../data/server-clock.ts';
import { formatClock, loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { UnreachableNotice } from './unreachable-notice.tsx';
import { Unreachable } from './unreachable.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
afterEach(() => {
  vi.unstubAllGlobals();
  forgetPage();
});

test('the notice of a server that cannot be reached can be put away, until it was reached and is away again', async () => {
  let isAway = true;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryFn = () => (isAway ? Promise.reject(new OfflineError()) : Promise.resolve(1));
  const stop = new QueryObserver(client, { queryKey: ['any'], queryFn }).subscribe(() => undefined);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const { container, unmount } = await mountPart(<UnreachableNotice />, client);
  const isShown = () => container.textContent.includes(t.shell.unreachable.title);
  const readAgain = () =>
    act(async () => {
      await client.refetchQueries({ queryKey: ['any'] });
      // TanStack Query notifies components in a timer of 0 ms.
      await new Promise((resolve) => setTimeout(resolve));
    });
  // Its code loads first.
  await waitFor(async () => {
    await readAgain();
    expect(isShown()).toBe(true);
  });
  await act(async () => container.querySelector<HTMLElement>(`[title="${t.shell.kit.dismiss}"]`)!.click());
  expect(isShown()).toBe(false);
  await readAgain();
  expect(isShown()).toBe(false);
  isAway = false;
  await readAgain();
  isAway = true;
  await readAgain();
  expect(isShown()).toBe(true);
  stop();
  await unmount();
});

test('if a page was answered, the notice says that the network may need a sign-in', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  let answer = foreignResponse('<title>Welcome</title>', { headers });
  vi.stubGlobal('fetch', async () => answer);
  const queryFn = () => send({ path: '/api/x' });
  const stop = new QueryObserver(client, { queryKey: ['any'], queryFn }).subscribe(() => undefined);
  const { container, unmount } = await mountPart(<UnreachableNotice />, client);
  await waitFor(() => expect(container.textContent).toContain(t.shell.unreachable.portal));
  // A proxy whose server is away.
  answer = foreignResponse('<title>Bad gateway</title>', { headers, status: 502 });
  await act(async () => client.refetchQueries({ queryKey: ['any'] }));
  await waitFor(() => expect(container.textContent).not.toContain(t.shell.unreachable.portal));
  expect(container.textContent).toContain(t.shell.unreachable.title);
  stop();
  await unmount();
});

test.each([-3 * hourMs, 3 * hourMs])('the age is right on a machine whose clock is wrong by %d ms', async (wrongBy) => {
  observeServerTime({ date: new Date(Date.now() - wrongBy).toUTCString(), now: Date.now() });
  const since = Date.now() - 2 * hourMs;
  const { container, unmount } = await mountPart(
    <Unreachable since={since} secondsLeft={3} onRetry={() => undefined} />,
  );
  expect(container.querySelector('span[aria-hidden]')!.textContent).toMatch(/^As of 2 hr.* ago\./);
  expect(container.textContent).toContain(t.shell.unreachable.seen(formatClock(since - wrongBy)));
  await unmount();
});

test('while the server cannot be reached, members leave their swarm at their end', async () => {
  const client = new QueryClient();
  const key = queryKeys.swarm.memberList('s', {});
  const items = [{ id: 'a', ends_at: new Date(Date.now() - 1000).toISOString(), swarms: [] }];
  client.setQueryData(key, { pages: [{ items, total: 1 }], pageParams: [null] });
  const { unmount } = await mountPart(<Unreachable since={null} secondsLeft={3} onRetry={() => undefined} />, client);
  expect(client.getQueryData(key)).toMatchObject({ pages: [{ items: [], total: 0 }] });
  await unmount();
});
