import type { Resource } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { Connect } from './connect.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test.each([
  ['in no swarm can be added to one', false],
  ['that sends need not', true],
])('a device %s where its new key is shown', async (_, sends) => {
  const created = { id: 'k', name: 'Gate', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit = {}) => {
    if (method === 'POST') return Response.json(created);
    return Response.json(path.includes('keys') ? { items: [] } : []);
  });
  const page = await mountPart(
    <Connect
      device={{ id: 'd', name: 'Gate' } as Resource}
      rights={{ sends, receives: false }}
      AddToSwarm={({ id }) => `adding ${id}`}
      onClose={() => undefined}
    />,
  );
  const { container } = page;
  await page.submit();
  await waitFor(() => expect(container.textContent).toContain('sk_secret'));
  const add = [...container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === t.device.page.add_to_swarm,
  );
  expect(add === undefined).toBe(sends);
  await act(async () => add?.click());
  expect(container.textContent.includes('adding d')).toBe(!sends);
  await page.unmount();
});

test('a new key is shown although nothing else is answered', async () => {
  const created = { id: 'k', name: 'Gate', key: 'sk_secret', ends_in: 'cret', created_at: '2026-11-24T10:00:00Z' };
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit = {}) =>
    method === 'POST' ? Response.json(created) : new Promise(() => {}),
  );
  const page = await mountPart(
    <Connect
      device={{ id: 'd', name: 'Gate' } as Resource}
      rights={{ sends: true, receives: false }}
      AddToSwarm={() => null}
      onClose={() => undefined}
    />,
  );
  await page.submit();
  await waitFor(() => expect(page.container.textContent).toContain('sk_secret'));
  await page.unmount();
});

test('the name that is offered for a new key is none of another key of the device, also if these are known later', async () => {
  const keys = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async () => keys.promise);
  const page = await mountPart(
    <Connect
      device={{ id: 'd', name: 'Gate' } as Resource}
      rights={{ sends: true, receives: false }}
      AddToSwarm={() => null}
      onClose={() => undefined}
    />,
  );
  const name = () => page.container.querySelector<HTMLInputElement>('dialog input')!.value;
  expect(name()).toBe('Gate');
  await act(async () =>
    keys.resolve(
      Response.json({
        items: [
          { id: 'a', name: 'Gate' },
          { id: 'b', name: 'Gate 3' },
        ],
      }),
    ),
  );
  await waitFor(() => expect(name()).toBe('Gate 2'));
  await page.type(' west');
  expect(name()).toBe('Gate 2 west');
  await page.unmount();
});
