import { expect, test, vi } from 'vitest';
import type { ShareLink } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { ShareLinksBox } from './share-links-box.tsx';

test('links of the same name are told apart by when they were created and opened, also before one is ended', async () => {
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  const link = (id: string, more: Partial<ShareLink>): ShareLink => ({
    id,
    resource_id: 'd',
    name: 'For mum',
    shows_track: false,
    expires_at: at(60),
    created_at: at(-30),
    viewers: 0,
    ...more,
  });
  const links = [link('l1', {}), link('l2', { opened_at: at(-5) }), link('l3', { opened_at: at(-5), viewers: 2 })];
  vi.stubGlobal('fetch', async () => Response.json(links));
  const { container, press, unmount } = await mountPart(
    <ShareLinksBox of={{ resource_id: 'd' }} device={{ name: 'Phone', keep_track: false }} NewLink={() => null} />,
  );
  const rows = () => [...container.querySelectorAll('.share-link-row')].map(({ textContent }) => textContent);
  await waitFor(() => expect(rows()).toHaveLength(3));
  const uses = [
    t.share_links.not_opened,
    t.share_links.opened.replace('{age}', '5 min. ago'),
    t.share_links.viewers(2),
  ];
  expect(uses.map((use) => rows().findIndex((row) => row.includes(use)))).toEqual([0, 1, 2]);
  const created = container.querySelector(`.share-link-row time[datetime="${at(-30)}"]`)!.textContent;
  expect(rows()[0]).toContain(t.share_links.created.replace('{date}', created));
  await press(t.share_links.end);
  const dialog = container.querySelector('dialog')!.textContent;
  expect(dialog).toContain(t.share_links.not_opened);
  expect(dialog).toContain(created);
  await unmount();
});
