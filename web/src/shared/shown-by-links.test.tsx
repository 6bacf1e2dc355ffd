import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';
import { AllowLinks, ShownByLinksField } from './shown-by-links.tsx';

beforeAll(() => loadTexts('en'));

const member = { swarm: { id: 's', name: 'Harbour' }, device: { id: 'd', name: 'Buoy' } };

test.each([
  [2, () => t.share_links.consent.open_now(2)],
  [0, () => t.share_links.consent.none_open],
])('before the user agrees, the dialog says that %i links would show the device at once', async (guest_links, text) => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [{ guest_links }], next: null }));
  const part = await mountPart(<AllowLinks {...member} isShown={false} onClose={() => undefined} />);
  await waitFor(() => expect(part.container.textContent).toContain(text()));
  await part.unmount();
});

const answer = (guest_links: number) => Response.json({ items: [{ guest_links }], next: null });
const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });

test('the number of an earlier dialog is not shown as the present one', async () => {
  const { counting, none_open, open_now } = t.share_links.consent;
  const dialog = <AllowLinks {...member} isShown={false} onClose={() => undefined} />;
  vi.stubGlobal('fetch', async () => answer(0));
  const { container, show, unmount } = await mountPart(dialog, newClient());
  await waitFor(() => expect(container.textContent).toContain(none_open));
  await show(null);
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  await act(() => new Promise<void>((passed) => setTimeout(passed)));
  await show(dialog);
  expect(container.textContent).toContain(counting);
  await act(async () => resolve(answer(2)));
  await waitFor(() => expect(container.textContent).toContain(open_now(2)));
  await unmount();
});

test('the number follows the links that are made while the dialog is open, and is no longer said if it cannot be read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let read = async () => answer(0);
  vi.stubGlobal('fetch', () => read());
  const part = await mountPart(<AllowLinks {...member} isShown={false} onClose={() => undefined} />, newClient());
  const says = (text: string) => waitFor(() => expect(part.container.textContent).toContain(text));
  const { none_open, open_now, count_failed } = t.share_links.consent;
  await says(none_open);
  read = async () => answer(1);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await says(open_now(1));
  read = async () => new Response('{}', { status: 403 });
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await says(count_failed);
  await part.unmount();
});

test.each([
  [1, 'to show the device', 'the name and position of the device'],
  [0, 'to show these devices', 'the names and positions of these devices'],
  [2, 'to show these devices', 'the names and positions of these devices'],
])('the consent for %i devices says which ones it allows', async (devices, label, hint) => {
  const field = <ShownByLinksField devices={devices} isShown={false} setShown={() => undefined} />;
  const { container, unmount } = await mountPart(field);
  expect(container.textContent).toContain(label);
  expect(container.textContent).toContain(hint);
  await unmount();
});
