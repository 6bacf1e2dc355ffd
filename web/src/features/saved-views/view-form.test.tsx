import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ViewForm } from './views-box.tsx';

test('the suggested name gets the name of the swarm when that has loaded', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [] }));
  const id = '01a21659-d1ce-7000-9015-ea0584c45b62';
  const form = (swarms: { id: string; name: string }[]) => (
    <ViewForm shown={{ url: `/swarms/${id}/map`, swarms }} onClose={() => undefined} />
  );
  const { container, show, unmount } = await mountPart(form([]));
  expect(container.querySelector('input')?.value).toContain('a swarm you can’t see');
  await show(form([{ id, name: 'Harbour' }]));
  expect(container.querySelector('input')?.value).toBe('Wall · Harbour');
  await unmount();
});

test('a view whose answer was lost is saved again with the same name, and is no second one', async () => {
  const saved: { id: string; name: string; url: string }[] = [];
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, init?: { method?: string; body?: string }) => {
    if (init?.method !== 'POST') return Response.json({ items: saved });
    const body = JSON.parse(init.body!) as { name: string; url: string };
    sent.push(body);
    if (saved.length > 0) return Response.json(saved[0]);
    saved.push({ id: 'v', ...body });
    throw new TypeError('the response is lost');
  });
  let closed = 0;
  const { container, submit, unmount } = await mountPart(
    <ViewForm shown={{ url: '/?q=quay', swarms: [] }} onClose={() => (closed += 1)} />,
  );
  await submit();
  await expect.poll(() => container.textContent).toContain(t.problems['service.done_once']);
  await submit();
  await expect.poll(() => closed).toBe(1);
  expect(sent[1]).toEqual(sent[0]);
  await unmount();
});
