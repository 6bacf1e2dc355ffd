import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { SendLink } from './send-link.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('an email address is sent with the language of the page, and named as what the link was sent to', async () => {
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async () => new Response(null, { status: 202 }));
  vi.stubGlobal('fetch', fetch);
  const { container, unmount } = await mountPart(<SendLink username=" jo@example.org" onMissing={() => undefined} />);
  await act(async () => container.querySelector('button')!.click());
  await waitFor(() => expect(container.textContent).toContain('If jo@example.org is the confirmed email address'));
  const sent = (fetch.mock.calls as unknown as [string, RequestInit][]).find(([url]) =>
    url.endsWith('/auth/mail-link'),
  );
  expect(JSON.parse(sent?.[1].body as string)).toEqual({ username: 'jo@example.org', language: 'en' });
  await unmount();
  vi.unstubAllGlobals();
});

test('a double click asks for one link, and a later click for another one', async () => {
  const fetch = vi.fn<() => Promise<Response>>(async () => new Response(null, { status: 202 }));
  vi.stubGlobal('fetch', fetch);
  const { container, unmount } = await mountPart(<SendLink username="ann" onMissing={() => undefined} />);
  const click = (detail: number) =>
    act(async () => {
      container.querySelector('button')!.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
    });
  await click(1);
  await waitFor(() => expect(container.textContent).toContain('a link was sent'));
  await click(2);
  expect(fetch).toHaveBeenCalledOnce();
  await click(1);
  expect(fetch).toHaveBeenCalledTimes(2);
  await unmount();
  vi.unstubAllGlobals();
});
