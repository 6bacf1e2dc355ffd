import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { DeviceKeysBox } from './device-keys-box.tsx';
import { deviceKeysQuery, phoneKeyName } from './keys.api.ts';

afterEach(() => loadTexts('en'));

interface Key {
  id: string;
  name: string;
  ends_in: string;
  created_at: string;
  expires_at?: string;
}

const keyOf = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  name: phoneKeyName,
  ends_in: id,
  created_at: '2026-11-24T10:00:00Z',
  ...more,
});

/** The keys of a device. `read`: those that the page has read. `answer` may answer the revocation of a key itself. */
async function mountBox(
  keys: Key[],
  { read = [...keys], answer }: { read?: Key[]; answer?: (id: string) => Response | undefined } = {},
) {
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'GET') return Response.json({ items: keys });
    const id = path.split('/').at(-1)!;
    const answered = answer?.(id);
    if (answered?.status === 500) return answered;
    keys.splice(
      keys.findIndex((key) => key.id === id),
      1,
    );
    return answered ?? new Response(null, { status: 204 });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(deviceKeysQuery('d').queryKey, { items: read } as never);
  const device = { id: 'd', name: 'Phone', keep_track: false } as Resource;
  const page = await mountPart(
    <DeviceKeysBox device={device} rights={{ sends: true, receives: true }} AddToSwarm={() => null} />,
    client,
  );
  const said = () => page.container.querySelector('.toasts')?.textContent ?? '';
  const confirm = () =>
    act(async () => page.container.querySelector<HTMLElement>('dialog .button-danger-primary')!.click());
  return { ...page, said, confirm };
}

for (const locale of ['en', 'de'] as const)
  test(`sharing of a phone with two keys is one row, and stops with both (${locale})`, async () => {
    await loadTexts(locale);
    const other = keyOf('other', { name: 'gateway' });
    const keys = [keyOf('unseen'), keyOf('used'), other];
    const { container, press, confirm, said, unmount } = await mountBox(keys);
    const { shares, stop, stop_text, stopped } = t.connect.phone;
    expect(container.textContent.split(shares)).toHaveLength(2);
    await press(stop);
    expect(container.querySelector('dialog')?.textContent).toContain(stop_text);
    await confirm();
    await waitFor(() => expect(said()).toContain(stopped));
    expect(keys).toEqual([other]);
    await waitFor(() => expect(container.textContent).not.toContain(shares));
    await unmount();
  });

test('a key that was made since the page has read them is revoked too', async () => {
  const keys = [keyOf('read'), keyOf('new')];
  const { press, confirm, said, unmount } = await mountBox(keys, { read: [keyOf('read')] });
  await press(t.connect.phone.stop);
  await confirm();
  await waitFor(() => expect(said()).toContain(t.connect.phone.stopped));
  expect(keys).toEqual([]);
  await unmount();
});

test('is not said to have stopped while a key is left, and stops with a second attempt', async () => {
  const keys = [keyOf('first'), keyOf('second'), keyOf('other', { name: 'gateway' })];
  let isBroken = true;
  const answer = (id: string) => (isBroken && id === 'second' ? new Response(null, { status: 500 }) : undefined);
  const { container, press, confirm, said, unmount } = await mountBox(keys, { answer });
  await press(t.connect.phone.stop);
  await confirm();
  await waitFor(() => expect(container.querySelector('dialog [role=alert]')?.textContent).toMatch(/./));
  expect(said()).not.toContain(t.connect.phone.stopped);
  isBroken = false;
  await confirm();
  await waitFor(() => expect(said()).toContain(t.connect.phone.stopped));
  expect(keys).toHaveLength(1);
  await unmount();
});

test('a revocation whose answer was lost, which a browser sends again by itself, has succeeded', async () => {
  const keys = [keyOf('first'), keyOf('second')];
  const { press, confirm, said, unmount } = await mountBox(keys, { answer: () => new Response(null, { status: 404 }) });
  await press(t.connect.phone.stop);
  await confirm();
  await waitFor(() => expect(said()).toContain(t.connect.phone.stopped));
  expect(keys).toEqual([]);
  await unmount();
});

test('says the end of the key that is valid longest', async () => {
  const endsOn = (year: number) => ({ expires_at: `${year}-06-01T10:00:00.000Z` });
  const keys = [keyOf('a', endsOn(2998)), keyOf('b', endsOn(2999)), keyOf('ended', endsOn(2020))];
  const { container, unmount } = await mountBox(keys);
  const rows = [...container.querySelectorAll('p time')].map((time) => time.getAttribute('datetime'));
  expect(rows).toEqual(['2999-06-01T10:00:00.000Z']);
  await unmount();
});
