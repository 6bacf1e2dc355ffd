import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { OutcomeToasts } from '../../ui/toasts/outcome-toasts.tsx';
import { keysQuery } from './keys.api.ts';
import { Keys } from './keys.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

// First, because the code of the dialog loads only once.
test('what is typed while the dialog of a new key loads is its name', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const { container, press, unmount } = await mountPart(<Keys id="keys" />);
  await press(t.account.keys.create);
  expect(container.querySelector('dialog')).toBeNull();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true, cancelable: true }));
  await waitFor(() => expect(container.querySelector<HTMLInputElement>('dialog input')?.value).toBe('c'));
  await unmount();
});

test('a new key is shown only once', async () => {
  const none = { items: [], device_keys: { items: [], total: 0 } };
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) =>
    method === 'POST' ? response.promise : Promise.resolve(new Response(JSON.stringify(none))),
  );
  const client = new QueryClient();
  client.setQueryData(keysQuery.queryKey, none);
  const { container, show, press, type, submit, unmount } = await mountPart(<Keys id="keys" />, client);
  await press(t.account.keys.create);
  await waitFor(() => expect(container.querySelector('dialog input')).not.toBeNull());
  await type('gateway');
  await submit();
  const created = { id: 'k1', name: 'gateway', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  response.resolve(new Response(JSON.stringify(created)));
  await waitFor(() => expect(container.querySelector('dialog')?.textContent).toContain('sk_secret'));
  await show(null);
  await waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]));
  await unmount();
});

test('a try after one without an answer has the same attempt, and the next key another one', async () => {
  const attempts: unknown[] = [];
  let isLost = true;
  const list = { items: [], device_keys: { items: [], total: 0 } };
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(list);
    attempts.push((JSON.parse(body as string) as { attempt: unknown }).attempt);
    if (isLost) throw new TypeError('the connection was closed');
    return Response.json({
      id: 'k',
      name: 'gateway',
      scope: 'all',
      key: 'sk_secret',
      created_at: '2026-11-24T10:00:00Z',
    });
  });
  const { container, press, type, submit, unmount } = await mountPart(<Keys id="keys" />);
  const dialog = () => container.querySelector('dialog');
  await press(t.account.keys.create);
  await waitFor(() => expect(dialog()).not.toBeNull());
  await type('gateway');
  await submit();
  await waitFor(() =>
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain(t.problems['service.not_shown']),
  );
  await press(t.shell.kit.cancel);
  isLost = false;
  for (let made = 0; made < 2; made += 1) {
    await press(t.account.keys.create);
    await type(`another ${made}`);
    await submit();
    await waitFor(() => expect(dialog()?.textContent).toContain('sk_secret'));
    await press(t.account.keys.done);
    await press(t.account.keys.lost_close);
  }
  expect(attempts[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(attempts[1]).toBe(attempts[0]);
  expect(attempts[2]).not.toBe(attempts[0]);
  await unmount();
});

test('who closes the dialog while the key is being created is told that it may exist, and can see it then', async () => {
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit = {}) =>
    method === 'POST' ? response.promise : new Promise(() => {}),
  );
  const { container, press, type, submit, unmount } = await mountPart(
    <>
      <OutcomeToasts />
      <Keys id="keys" />
    </>,
  );
  await press(t.account.keys.create);
  await type('gateway');
  await submit();
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  expect(container.querySelector('dialog')).toBeNull();
  expect(container.textContent).toContain(t.account.keys.is_sent);
  const created = { id: 'k1', name: 'gateway', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  response.resolve(Response.json(created));
  await waitFor(() => expect(container.textContent).toContain(t.account.keys.ready('gateway')));
  expect(container.textContent).not.toContain('sk_secret');
  await press(t.shell.sending.show);
  expect(container.querySelector('dialog')!.textContent).toContain('sk_secret');
  await unmount();
});

test('keys of devices count as keys, and an account that has only these is not said to have none', async () => {
  const client = new QueryClient();
  const device = { id: 'd', name: 'Phone' };
  const key = { id: 'k', name: 'OwnTracks', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z', device };
  client.setQueryData(keysQuery.queryKey, { items: [], device_keys: { items: [key], total: 1 } } as never);
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const { container, unmount } = await mountPart(<Keys id="keys" />, client);
  expect(container.querySelector('.box-head .numbers')?.textContent).toBe('1');
  expect(container.textContent).not.toContain(t.account.keys.empty_title);
  expect(container.textContent).toContain(t.account.keys.only_of_devices);
  await unmount();
});

test('a key that was revoked after its question was closed does not close that of another key', async () => {
  const revoked = Promise.withResolvers<Response>();
  const keyOf = (name: string) => ({
    id: name,
    name,
    ends_in: 'cret',
    created_at: '2026-11-24T10:00:00Z',
    scope: 'all',
  });
  const two = { items: [keyOf('first'), keyOf('second')], device_keys: { items: [], total: 0 } };
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'DELETE' ? revoked.promise : Response.json(two),
  );
  const client = new QueryClient();
  client.setQueryData(keysQuery.queryKey, two as never);
  const { container, press, unmount } = await mountPart(<Keys id="keys" />, client);
  const ask = (name: string) =>
    act(async () => container.querySelector<HTMLElement>(`[aria-label="${t.account.keys.revoke_of(name)}"]`)!.click());
  await ask('first');
  await act(async () => container.querySelector<HTMLElement>('dialog .button-danger-primary')!.click());
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  await ask('second');
  await act(async () => revoked.resolve(new Response(null, { status: 204 })));
  await waitFor(() => expect(container.querySelector('.toasts')!.textContent).toContain('first'));
  expect(container.querySelector('dialog h2')?.textContent).toBe(t.account.keys.revoke_title('second'));
  await unmount();
});
