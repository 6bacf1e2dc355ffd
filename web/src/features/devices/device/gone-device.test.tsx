import { QueryClient } from '@tanstack/react-query';
import type { Activity, Resource } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patchDeviceValues } from '../../../data/cache/cached-devices.ts';
import { valuesOf } from '../../../data/forms/device-fields.ts';
import { deviceOutbox } from '../../../data/outbox/device-outbox.ts';
import { outbox } from '../../../data/outbox/outbox.ts';
import { problem, serveActions } from '../../../data/actions/actions.fixture.ts';
import { handoverQuery } from '../../../shared/handover/handover.api.ts';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { deviceRecordQuery } from '../device.api.ts';
import { DevicePage } from './device-page.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

// Test files share their modules, and another file may have loaded these with the real database.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
const rows = new Map<string, object>();
vi.mock('idb-keyval', () => ({
  createStore: () => 'outbox',
  entries: async () => [...rows],
  del: async (key: string) => rows.delete(key),
  delMany: async () => undefined,
  set: async (key: string, row: object) => void rows.set(key, row),
}));

const device: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Gate',
  machine_type: 'pc',
  description: '',
  created_at: '2026-01-02T03:00:00.000Z',
};
const edit = {
  type: 'edit',
  device: { id: 'a', name: 'Gate' },
  change: { base: valuesOf(device), mine: { ...valuesOf(device), name: 'Gate 2' }, etag: '"1"' },
} as const;
const handedOver = { kind: 'resource.handed_over', actor: 'ben', at: '2026-01-02T04:00:00.000Z' } as Activity;
const deleted = { ...handedOver, kind: 'resource.deleted', actor: 'ann' } as Activity;

/** The device as the server has it; null if it is gone, undefined if the server cannot be reached. */
let now: Resource | null | undefined;
/** What the activity log says of it; undefined if it cannot be read. */
let log: Activity[] | undefined;
let client: QueryClient;
let page: Awaited<ReturnType<typeof mountPart>>;
let container: HTMLElement;
let server: ReturnType<typeof serveActions>;

beforeEach(async () => {
  await loadTexts('en');
  now = device;
  log = [handedOver];
  server = serveActions({
    answer({ method, path }) {
      if (now === undefined) throw new TypeError('no network');
      if (path.startsWith('/api/activity')) return log ? Response.json({ items: log }) : problem('server.failed', 500);
      if (path === '/api/resources/a/handover') {
        if (method === 'DELETE' || !now) return problem(now ? 'handover.not_found' : 'resource.not_found', 404);
        return Response.json({ resource_id: 'a', user_id: 'ben', with_history: false, offered_at: device.created_at });
      }
      if (path === '/api/resources/a/swarms') return Response.json([]);
      if (path === '/api/resources' && method === 'POST') return Response.json({ ...device, id: 'b' });
      if (path !== '/api/resources/a') return problem('server.failed', 500);
      if (!now) return problem('resource.not_found', 404);
      return Response.json(now, { headers: { etag: '"1"' } });
    },
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(accountQuery.queryKey, { user_id: 'ann' } as never);
  history.replaceState(null, '', '/devices/a');
  const none = { map: null, invite: null, invitations: null, activity: null, guests: null, messages: null };
  page = await mountPart(<DevicePage id="a" user_id="ann" {...none} />, client);
  container = page.container;
  await shows('Withdraw the offer');
});
afterEach(async () => {
  await page.unmount();
  await outbox.clear('ann');
  vi.unstubAllGlobals();
});

/** Renders what is there, until it passes: a transition renders only when `act` ends. */
const shows = (text: string) => waitFor(() => expect(container.textContent).toContain(text));
const hides = (text: string) => waitFor(() => expect(container.textContent).not.toContain(text));
const button = (name: string) =>
  [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const readAgain = () => act(async () => client.refetchQueries({ queryKey: deviceRecordQuery('a').queryKey }));
/** An edit that was made without a network, and is shown; sending it has failed. */
async function failToSend() {
  await act(async () => {
    await deviceOutbox.add({ user_id: 'ann', ...edit });
    await outbox.markFailed(outbox.list()[0]!, { code: 'resource.not_found' });
    patchDeviceValues(client, 'a', { name: 'Gate 2' });
  });
}

test('a device that another user has taken over says so, while an edit of it could not be sent', async () => {
  now = null;
  await readAgain();
  await failToSend();
  await shows('ben took over this device');
  await hides('Withdraw the offer');
  expect(button('Create it again')).toBeUndefined();
  expect(container.querySelector<HTMLInputElement>('[name="name"]')?.readOnly).toBe(true);
  // What a field does is for who may change it.
  expect(container.textContent).not.toContain(t.device.form.keep_track_hint);
  const copied = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText: copied } });
  expect(container.querySelector('.unsent-values')?.textContent).toBe('NameGate 2');
  await page.press('Copy text');
  expect(copied.mock.calls).toEqual([['Gate 2']]);
  await page.press('Discard');
  await act(async () => container.querySelector<HTMLElement>('dialog .button-danger-primary')!.click());
  await waitFor(() => expect(rows.size).toBe(0));
  expect(container.querySelector('.unsent-values')).toBeNull();
  await shows('ben took over this device');
});

test('the page of a device that was handed over says that it shows it as it was', async () => {
  now = { ...device, position: { longitude: 8, latitude: 54 } };
  await readAgain();
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });
  const commands = async () => {
    const more = container.querySelector<HTMLElement>('[aria-haspopup="menu"]')!;
    await act(async () => more.click());
    const names = [...document.querySelectorAll('[role="menuitem"]')].map(({ textContent }) => textContent);
    await act(async () => more.click());
    return names;
  };
  expect(await commands()).toContain(t.commands.device.open_in_maps);
  expect(container.textContent).toContain('changed ');
  now = null;
  await readAgain();
  await shows(t.device.page.as_it_was);
  expect(container.textContent).not.toContain('changed ');
  expect(await commands()).toEqual([t.commands.device.copy_position, t.commands.device.copy_id]);
});

test('the question whether to discard an edit ends with the edit', async () => {
  now = null;
  await readAgain();
  await failToSend();
  await page.press('Discard');
  expect(container.querySelector('dialog')).not.toBeNull();
  await act(async () => outbox.remove(outbox.list()[0]!.id));
  await failToSend();
  expect(container.querySelector('.unsent-values')).not.toBeNull();
  expect(container.querySelector('dialog')).toBeNull();
});

test('withdrawing an offer that was accepted meanwhile shows who has taken the device over', async () => {
  now = null;
  await page.press('Withdraw the offer');
  await shows('ben took over this device');
  expect(container.textContent).not.toContain('Withdraw the offer');
});

test('a device that was deleted elsewhere can be created again, with what waited for it', async () => {
  log = [deleted, handedOver];
  await failToSend();
  now = null;
  await readAgain();
  await shows('This device was deleted');
  expect(container.textContent).not.toContain('taken over');
  server.requests.length = 0;
  // Until the log is there, the page does not know who has deleted it.
  await waitFor(() => expect(button('Create it again')).toBeDefined());
  await page.press('Create it again');
  await waitFor(() => expect(rows.size).toBe(0));
  expect(server.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ name: 'Gate 2' });
});

test('a device that was created again after its page was left does not lead away from the next page', async () => {
  log = [deleted];
  now = null;
  await readAgain();
  await waitFor(() => expect(button('Create it again')).toBeDefined());
  const created = Promise.withResolvers<Response>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    init.method === 'POST' ? created.promise : fetch(path, init),
  );
  await page.press('Create it again');
  await page.show(null);
  history.replaceState(null, '', '/');
  await act(async () => created.resolve(Response.json({ ...device, id: 'b' })));
  await waitFor(() => expect(client.isMutating()).toBe(0));
  expect(location.pathname).toBe('/');
});

test('a device of which only is known that it is gone stays so without a network, and is not created again', async () => {
  log = undefined;
  now = null;
  await readAgain();
  await shows('This device was deleted, or it now belongs to another user.');
  now = undefined;
  await readAgain();
  expect(container.textContent).toContain('This device was deleted, or it now belongs to another user.');
  expect(button('Create it again')).toBeUndefined();
  now = device;
  await readAgain();
  await hides('This device was deleted');
});

test('a device that is another user’s shows what was typed, and does not offer to save it', async () => {
  const name = container.querySelector<HTMLInputElement>('[name="name"]')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(name, 'Gate 3');
    name.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  now = { ...device, user_id: 'ben' };
  await readAgain();
  await shows('This device belongs to ben');
  expect(container.querySelector('.unsent-values')?.textContent).toBe('NameGate 3');
  await page.press('Discard');
  await act(async () => container.querySelector<HTMLElement>('dialog .button-danger-primary')!.click());
  expect(container.querySelector('.unsent-values')).toBeNull();
});

test('a device of another user that is not seen any more is not shown as it was', async () => {
  now = { ...device, user_id: 'ben' };
  await readAgain();
  await shows('This device belongs to ben');
  now = null;
  await readAgain();
  await waitFor(() => expect(container.textContent).toContain(t.device.page.not_found_title));
  expect(container.textContent).not.toContain('This device belongs to ben');
});

test('an offer that has ended is no longer shown', async () => {
  expect(client.getQueryData(handoverQuery('a').queryKey)).toMatchObject({ user_id: 'ben' });
  now = null;
  await act(async () => client.refetchQueries({ queryKey: handoverQuery('a').queryKey }));
  expect(client.getQueryData(handoverQuery('a').queryKey)).toBeNull();
});

test('an edit that conflicts with another one is named beside Save', async () => {
  await act(() => deviceOutbox.add({ user_id: 'ann', ...edit }));
  await shows(t.device.page.postponed);
  await act(() => outbox.markFailed(outbox.list()[0]!, 'conflict'));
  await shows('Not sent: Name');
  expect(container.textContent).not.toContain(t.device.page.postponed);
});
