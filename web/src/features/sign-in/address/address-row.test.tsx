import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { MailAddress } from '@swarmdeck/bff/contract';
import '../../../data/responses.fixture.ts';
import { AddressRow } from './address-row.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const none: MailAddress = { is_available: true, address: null, verified_at: null, next_address: null };

/** What is shown before and after the answer. */
async function shownWith({ answer, givesLink }: { answer: Response; givesLink: boolean }) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  const container = document.createElement('div');
  const root = createRoot(container);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <AddressRow givesLink={givesLink} />
      </QueryClientProvider>,
    ),
  );
  const before = container.innerHTML;
  await act(async () => {
    resolve(answer);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    // The query tells its observers in a task of its own.
    await new Promise((done) => setTimeout(done));
  });
  const after = container.textContent;
  await act(async () => root.unmount());
  return { before, after };
}

test.each([
  { what: 'the row', answer: () => Response.json(none), givesLink: true, shown: /^Email address/ },
  {
    what: 'nothing where no emails are sent',
    answer: () => Response.json({ ...none, is_available: false }),
    givesLink: false,
    shown: /^$/,
  },
  {
    what: 'a failure where a link helps who lost the password',
    answer: () => new Response('{}', { status: 500 }),
    givesLink: true,
    shown: /could not be loaded/,
  },
  {
    what: 'no failure elsewhere',
    answer: () => new Response('{}', { status: 500 }),
    givesLink: false,
    shown: /^$/,
  },
])('nothing is shown at first, then $what', async ({ answer, givesLink, shown }) => {
  const { before, after } = await shownWith({ answer: answer(), givesLink });
  expect(before).toBe('');
  expect(after).toMatch(shown);
});
