import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Offer } from '@swarmdeck/bff/contract';
import { foreignResponse } from '../../../data/responses.fixture.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { OutcomeToasts } from '../../../ui/toasts/outcome-toasts.tsx';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { offersQuery } from './managers.api.ts';
import { Offers } from './offers.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const resource = { id: 'd', user_id: 'ann', name: 'Buoy', machine_type: 'bug', created_at: '2026-01-02T03:00:00.000Z' };

test.each(['take_over', 'decline'] as const)(
  'an answered offer is gone before the offers are read again: %s',
  async (answer) => {
    const offer = { resource, with_history: false } as unknown as Offer;
    let isAnswered = false;
    vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
      if (method !== 'GET') {
        isAnswered = true;
        return new Response(null, { status: 204 });
      }
      if (path !== '/api/offers') return Response.json({});
      return isAnswered ? new Promise<Response>(() => undefined) : Response.json([offer]);
    });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const { container, press, unmount } = await mountPart(<Offers user_id="bob" />, client);
    await waitFor(() => expect(container.textContent).toContain('Buoy'));
    await press(t.managers[answer]);
    await waitFor(() => expect(container.textContent).not.toContain('Buoy'));
    expect(client.getQueryData(offersQuery.queryKey)).toEqual([]);
    await unmount();
  },
);

test('a take-over whose answer was lost is said to be uncertain, although its offer is gone', async () => {
  const offer = { resource, with_history: false } as unknown as Offer;
  let isTaken = false;
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (method !== 'GET') {
      isTaken = true;
      return foreignResponse('<h1>Welcome</h1>');
    }
    if (path !== '/api/offers') return Response.json({});
    return Response.json(isTaken ? [] : [offer]);
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (
    <>
      <OutcomeToasts />
      <Offers user_id="bob" />
    </>
  );
  const { container, press, unmount } = await mountPart(page, client);
  await waitFor(() => expect(container.textContent).toContain('Buoy'));
  await press(t.managers.take_over);
  await waitFor(() => expect(container.textContent).not.toContain('Buoy'));
  await waitFor(() =>
    expect(container.querySelector('.toasts')?.textContent).toBe(t.shell.unconfirmed + t.problems['service.no_answer']),
  );
  await unmount();
});

test('the offer of a device says which one it is: its type, its id and its description', async () => {
  const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
  const offer = { resource: { ...resource, id, description: 'north pier' }, with_history: false };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path === '/api/offers' ? [offer] : {}));
  const { container, unmount } = await mountPart(<Offers user_id="bob" />, new QueryClient());
  await waitFor(() =>
    expect(container.textContent).toContain(`${t.shell.machine_types.bug} · 019a7c51…9d10 · north pier`),
  );
  await unmount();
});
