import { expect, test, vi } from 'vitest';
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
