import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { deviceKeysQuery } from './keys.api.ts';
import { OwnTracksCode } from './owntracks-code.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('without the server, the first report of a phone is not said to be waited for', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const created = { id: 'k', name: 'OwnTracks', key: 'sk_secret' } as CreatedApiKey;
  const page = await mountPart(<OwnTracksCode device_id="d" created={created} />, client);
  const { container } = page;
  expect(container.textContent).toContain(t.connect.phone.waiting);
  await waitFor(() => expect(container.textContent).toContain(t.connect.phone.failed));
  expect(container.textContent).not.toContain(t.connect.phone.waiting);
  await page.unmount();
});

test('a phone that has reported stays connected if its reports cannot be read again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const created = { id: 'k', name: 'OwnTracks', key: 'sk_secret' } as CreatedApiKey;
  const { queryKey } = deviceKeysQuery('d');
  client.setQueryData(queryKey, { items: [{ ...created, last_used_at: '2026-01-02' }] });
  const page = await mountPart(<OwnTracksCode device_id="d" created={created} />, client);
  await waitFor(() => expect(client.getQueryState(queryKey)?.status).toBe('error'));
  expect(page.container.textContent).toContain(t.connect.phone.connected);
  await page.unmount();
});

test('a phone whose reports are not used says why', async () => {
  const created = { id: 'k', name: 'OwnTracks', key: 'sk_secret' } as CreatedApiKey;
  const refused = { times: 1, last_at: '2026-01-02T03:00:00.000Z', code: 'report.encrypted', detail: '' };
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(
      path.startsWith('/api/devices/d?')
        ? { id: 'd', machine_type: 'smartphone', refusals: { refused } }
        : { items: [{ ...created, last_used_at: '2026-01-02' }] },
    ),
  );
  const { container, unmount } = await mountPart(<OwnTracksCode device_id="d" created={created} />);
  await waitFor(() => expect(container.textContent).toContain(t.device.refused.reasons['report.encrypted']));
  await unmount();
});
