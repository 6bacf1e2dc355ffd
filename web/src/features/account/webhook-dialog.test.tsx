import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { formatClockSeconds } from '../../text/formats.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { Webhook } from './webhook.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('the dialog of the address closes while the network answers nothing, and says that there may be a new secret', async () => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'PUT' ? new Promise(() => {}) : Response.json({ webhook: null }),
  );
  const page = await mountPart(<Webhook id="webhook" />);
  await waitFor(() => expect(page.container.textContent).toContain(t.account.webhook.none));
  await page.press(t.account.webhook.add);
  await page.type('https://example.org/hook');
  await page.submit();
  await waitFor(() => expect(page.container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await page.press(t.shell.kit.close);
  expect(page.container.querySelector('dialog')).toBeNull();
  expect(page.container.textContent).toContain(t.account.webhook.is_sent);
  await page.unmount();
});

test('an address that was removed after its question was closed does not close what was opened since', async () => {
  const removed = Promise.withResolvers<Response>();
  const webhook = { url: 'https://example.org/hook', results: [] };
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'DELETE' ? removed.promise : Response.json({ webhook }),
  );
  const page = await mountPart(<Webhook id="webhook" />);
  await waitFor(() => expect(page.container.textContent).toContain(webhook.url));
  const title = () => page.container.querySelector('dialog h2')?.textContent;
  await page.press(t.account.webhook.remove);
  const question = title();
  await act(async () => page.container.querySelector<HTMLElement>('dialog .button-danger-primary')!.click());
  await waitFor(() => expect(page.container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await page.press(t.shell.kit.close);
  await page.press(t.account.webhook.change);
  await act(async () => removed.resolve(new Response(null, { status: 204 })));
  await waitFor(() => expect(page.client.isMutating()).toBe(0));
  expect([title() !== undefined, title() === question]).toEqual([true, false]);
  await page.unmount();
});

test('the dialog of another address says that it makes a new secret', async () => {
  const webhook = { url: 'https://example.org/hook', results: [] };
  vi.stubGlobal('fetch', async () => Response.json({ webhook }));
  const page = await mountPart(<Webhook id="webhook" />);
  await waitFor(() => expect(page.container.textContent).toContain(webhook.url));
  await page.press(t.account.webhook.change);
  expect(page.container.querySelector('dialog')!.textContent).toContain(t.account.webhook.text_change);
  await page.unmount();
});

test.each([
  { attempts: 0, answer: null, next: 60_000, says: true, why: true },
  { attempts: 0, answer: null, next: -1000, says: false, why: false },
  { attempts: 1, answer: null, next: 60_000, says: false, why: false },
  { attempts: 1, answer: 'timeout', next: 60_000, says: true, why: false },
])('a result that waits says when the next attempt is: $attempts, $answer, in $next ms', async (of) => {
  const { attempts, answer, next } = of;
  const at = new Date().toISOString();
  const next_at = new Date(Date.now() + next).toISOString();
  const result = {
    id: '1',
    kind: 'test',
    at,
    state: 'waiting',
    attempts,
    tried_at: null,
    next_at,
    status: null,
    answer,
  };
  vi.stubGlobal('fetch', async () =>
    Response.json({ webhook: { url: 'https://example.org/hook', results: [result] } }),
  );
  const { container, unmount } = await mountPart(<Webhook id="webhook" />);
  await waitFor(() => expect(container.textContent).toContain(t.account.webhook.states.waiting));
  const { rests, next: nextAt } = t.account.webhook;
  expect(container.textContent.includes(nextAt(formatClockSeconds(next_at)))).toBe(of.says);
  expect(container.textContent.includes(rests)).toBe(of.why);
  await unmount();
});
