import { QueryClient } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { deviceRecordQuery, deviceSwarmsQuery } from '../device.api.ts';
import { DevicePage } from './device-page.tsx';

const at = '2026-11-28T10:00:00.000Z';
const device: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Gate',
  machine_type: 'pc',
  created_at: at,
  keep_track: true,
  keep_values: 'time',
};
const points = [1, 2, 3].map((longitude) => ({ at, longitude, latitude: 0 }));

let page: Awaited<ReturnType<typeof mountPart>>;
let saved: unknown[];

beforeEach(async () => {
  await loadTexts('en');
  saved = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT') {
      saved.push(JSON.parse(body as string));
      return Response.json(device, { headers: { etag: '"2"' } });
    }
    if (path === '/api/resources/a/track') return Response.json({ points });
    if (path === '/api/resources/a/values?last=yes') return Response.json({ kept_since: at, series: [] });
    return new Promise(() => {});
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(deviceRecordQuery('a').queryKey, { resource: device, etag: '"1"', at });
  client.setQueryData(deviceSwarmsQuery('a').queryKey, []);
  history.replaceState(null, '', '/devices/a');
  const none = { map: null, invite: null, messages: null, invitations: null, activity: null, guests: null };
  page = await mountPart(<DevicePage id="a" user_id="ann" {...none} />, client);
});
afterEach(async () => {
  await page.unmount();
  vi.unstubAllGlobals();
});

const dialog = () => page.container.querySelector('dialog');
/** Switches off what the checkbox with this text records. */
const switchOff = (text: string) =>
  act(async () =>
    [...page.container.querySelectorAll('label')]
      .find(({ textContent }) => textContent.includes(text))!
      .querySelector('input')!
      .click(),
  );

test('a save that ends recordings asks, and names what it deletes', async () => {
  await switchOff('Record its track');
  await switchOff('Record its values');
  await page.submit();
  await waitFor(() => expect(dialog()?.textContent).toContain('The track: 3 positions since'));
  await waitFor(() => expect(dialog()?.textContent).toContain('The values recorded since'));
  await page.press('Cancel');
  expect([dialog(), saved]).toEqual([null, []]);
  await page.submit();
  await page.press('Save and delete');
  await waitFor(() => expect(saved).toEqual([{ keep_track: null, keep_values: null }]));
  expect(dialog()).toBeNull();
});

test('another time of the values deletes nothing, so no question is asked', async () => {
  const time = page.container.querySelector('select[value="time"], select option[value="sent_at"]')!.closest('select')!;
  await act(async () => {
    time.value = 'sent_at';
    time.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.submit();
  await waitFor(() => expect(saved).toEqual([{ keep_values: 'sent_at' }]));
});
