import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { PhoneDialog } from './phone-dialog.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('who cancels goes back to the page that has asked for it', async () => {
  const closed = vi.fn<() => void>();
  const { press, unmount } = await mountPart(<PhoneDialog from="/join/code" onClose={closed} />);
  await press('Cancel');
  expect(closed).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/join/code');
  await unmount();
});

/** The dialog for a phone that is not a device yet, with the link to set it up. */
async function setUp() {
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit = {}) => {
    if (method !== 'POST') return Response.json({ items: [] });
    return Response.json(path === '/api/resources' ? { id: 'd' } : { id: 'k', name: 'OwnTracks', key: 'sk_secret' });
  });
  const closed = vi.fn<() => void>();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = await mountPart(<PhoneDialog from="/join/code" onClose={closed} />, client);
  history.replaceState(null, '', '/');
  await page.submit();
  await waitFor(() => expect(page.container.textContent).toContain(t.connect.phone.open));
  return { ...page, closed };
}

test('what sets up the app is put away only after a question', async () => {
  const { container, press, closed, unmount } = await setUp();
  await press(t.account.keys.done);
  expect(closed).not.toHaveBeenCalled();
  expect(container.textContent).toContain(t.connect.phone.stored.lost_text);
  await press(t.connect.phone.stored.lost_close);
  expect(closed).toHaveBeenCalledOnce();
  expect(location.pathname).toBe('/join/code');
  await unmount();
});

test('without one if the link was opened', async () => {
  const { container, press, closed, unmount } = await setUp();
  const link = container.querySelector<HTMLAnchorElement>('a[href^="owntracks:"]')!;
  link.addEventListener('click', (event) => event.preventDefault());
  await act(async () => link.click());
  await press(t.account.keys.done);
  expect(closed).toHaveBeenCalledOnce();
  await unmount();
});

test('if the key of a phone that was added is refused, the user is told that it has none', async () => {
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit = {}) => {
    if (method !== 'POST') return Response.json({ items: [] });
    if (path === '/api/resources') return Response.json({ id: 'd', name: 'My phone' });
    return Response.json({ code: 'key.too_many', status: 409 }, { status: 409 });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container, submit, press, unmount } = await mountPart(<PhoneDialog onClose={() => {}} />, client);
  await submit();
  await waitFor(() => expect(container.textContent).toContain('“My phone” was added. It has no key yet.'));
  await press('Cancel');
  await waitFor(() => expect(container.textContent).toContain('My phone added'));
  await unmount();
});
