import { act, type ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { OutcomeToasts } from '../../../ui/toasts/outcome-toasts.tsx';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { forgetPage } from '../../../data/new-page.ts';
import { outbox } from '../../../data/outbox/outbox.ts';
import { AddDevice } from './add-device.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
afterEach(() => sessionStorage.clear());

const dialog = (onClose = () => {}) => <AddDevice fill={{}} onClose={onClose} onAdded={() => undefined} />;
const draftKey = 'draft:device:undefined';

test.each([
  ['import', 'Buoy', true],
  ['phone', 'Buoy', true],
  ['import', '', false],
] as const)('the link "%s" says that what was typed stays (name "%s": %s)', async (link, name, isSaid) => {
  // Nothing is answered.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  sessionStorage.setItem('draft:device:undefined', JSON.stringify({ name }));
  const page = await mountPart(<AddDevice fill={{}} onClose={() => undefined} onAdded={() => undefined} />);
  const { container } = page;
  const { stored, [link]: text } = t.device.add_dialog;
  await act(async () => [...container.querySelectorAll('a')].find((each) => each.textContent === text)!.click());
  expect(container.textContent.includes(stored)).toBe(isSaid);
  await page.unmount();
});

test.each([
  [4000, 'is stored with its accuracy', '11.575', { accuracy: 4000 }],
  [4000, 'has none once it was changed', '11.6', {}],
])('an own location that is accurate to %d m %s', async (accuracy, _, longitude, stored) => {
  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', sent);
  const coords = { latitude: 48.137, longitude: 11.575, accuracy };
  const getCurrentPosition = (found: PositionCallback) => found({ coords } as GeolocationPosition);
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  sessionStorage.setItem(draftKey, JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const page = await mountPart(dialog());
  await page.press(t.device.own_location_short);
  const field = page.container.querySelector<HTMLInputElement>('[name=longitude]')!;
  await act(async () => {
    field.setRangeText(longitude, 0, field.value.length);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.submit();
  const position = { latitude: 48.137, longitude: Number(longitude) };
  const body = { name: 'Buoy', machine_type: 'bug', position, ...stored };
  await waitFor(() => expect(JSON.parse(sent.mock.lastCall?.[1].body as string)).toEqual(body));
  await page.unmount();
});

test('a device with the own location that is sent again after a reload is the same device', async () => {
  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(async () => {
    throw new TypeError('the answer is lost');
  });
  vi.stubGlobal('fetch', sent);
  const coords = { latitude: 48.137, longitude: 11.575, accuracy: 4000 };
  const getCurrentPosition = (found: PositionCallback) => found({ coords } as GeolocationPosition);
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  sessionStorage.setItem(draftKey, JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const before = await mountPart(dialog());
  await before.press(t.device.own_location_short);
  await before.submit();
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  await before.unmount();
  forgetPage();
  const after = await mountPart(dialog());
  await after.submit();
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  const requests = sent.mock.calls.map(([, { headers, body }]) => [
    (headers as Record<string, string>)['idempotency-key'],
    JSON.parse(body as string),
  ]);
  expect(requests[1]).toEqual(requests[0]);
  expect(requests[0]![1]).toMatchObject({ accuracy: 4000 });
  await after.unmount();
});

test('who cancels while the device is being sent is told that it is still added', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  sessionStorage.setItem('draft:device:undefined', JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const page = await mountPart(<AddDevice fill={{}} onClose={() => undefined} onAdded={() => undefined} />);
  await page.submit();
  await waitFor(() => expect(page.container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await page.press(t.shell.kit.close);
  expect(page.container.textContent).toContain(t.device.add_dialog.is_sent);
  expect(page.container.textContent).not.toContain(t.device.add_dialog.stored);
  await page.unmount();
});

/** `null`: the dialog is closed. */
const pageWith = (dialog: ReactNode) => (
  <>
    <OutcomeToasts />
    {dialog}
  </>
);

test('a device whose dialog was closed and opened again while it was sent is added once, and said to be', async () => {
  const answer = Promise.withResolvers<Response>();
  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() => answer.promise);
  vi.stubGlobal('fetch', sent);
  sessionStorage.setItem(draftKey, JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const onClose = vi.fn<() => void>();
  const page = await mountPart(pageWith(dialog(onClose)));
  await page.submit();
  await waitFor(() => expect(page.container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await page.press(t.shell.kit.close);
  expect(onClose).toHaveBeenCalledOnce();
  await page.show(pageWith(null));
  await page.show(pageWith(dialog()));
  const button = () =>
    [...page.container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === t.device.add_dialog.create,
    )!;
  expect(button().getAttribute('aria-busy')).toBe('true');
  await act(async () => answer.resolve(Response.json({ id: 'd', name: 'Buoy' })));
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
  expect(page.container.querySelector('input')!.value).toBe('');
  expect(page.container.textContent).toContain('Buoy added');
  expect(sent).toHaveBeenCalledOnce();
  await page.unmount();
});

test('a device that the outbox keeps while it is sent is no draft of the next page, unless it is rejected', async () => {
  const keep = vi.spyOn(outbox, 'keepUntil').mockImplementation(async (_entry, _answer, onStored) => onStored?.());
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const key = 'draft:device:ann';
  sessionStorage.setItem(key, JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const page = await mountPart(null);
  page.client.setQueryData(queryKeys.account, { user_id: 'ann' });
  await page.show(dialog());
  await page.submit();
  await waitFor(() => expect(sessionStorage.getItem(key)).toBeNull());
  expect(page.container.querySelector('input')!.value).toBe('Buoy');
  await act(async () =>
    answer.resolve(Response.json({ code: 'quota.exceeded', detail: '', title: '' }, { status: 409 })),
  );
  await waitFor(() => expect(sessionStorage.getItem(key)).toContain('Buoy'));
  expect(keep.mock.calls[0]?.[0]).toMatchObject({ user_id: 'ann', task: { type: 'create', device: { name: 'Buoy' } } });
  keep.mockRestore();
  await page.unmount();
});

test('a device that was not added after its dialog was closed is sent with the same key again', async () => {
  const keys: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    if (path === '/api/resources') keys.push(headers['idempotency-key']);
    return Response.json({ code: 'quota.exceeded', detail: '', title: '' }, { status: 409 });
  });
  sessionStorage.setItem(draftKey, JSON.stringify({ name: 'Buoy', machine_type: 'bug' }));
  const page = await mountPart(dialog());
  for (let times = 0; times < 2; times += 1) {
    await page.show(null);
    await page.show(dialog());
    await page.submit();
    await waitFor(() => expect(page.client.isMutating()).toBe(0));
  }
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await page.unmount();
});

test.each([
  ['fills in an empty draft', { description: 'at the pier' }, 'Crane'],
  ['does not replace the name of a draft', { name: 'Buoy', description: 'at the pier' }, 'Buoy'],
])('a name from the palette %s', async (_, draft, name) => {
  sessionStorage.setItem(draftKey, JSON.stringify(draft));
  const page = await mountPart(
    <AddDevice fill={{ name: 'Crane' }} onClose={() => undefined} onAdded={() => undefined} />,
  );
  expect(page.container.querySelector('input')!.value).toBe(name);
  expect(page.container.querySelector('textarea')!.value).toBe('at the pier');
  await page.unmount();
});

test('a name from the palette replaces the draft of another device when the user starts over', async () => {
  sessionStorage.setItem(draftKey, JSON.stringify({ name: 'Buoy', description: 'at the pier' }));
  const page = await mountPart(
    <AddDevice fill={{ name: 'Crane' }} onClose={() => undefined} onAdded={() => undefined} />,
  );
  const { other } = t.device.add_dialog;
  expect(page.container.textContent).toContain(other);
  await page.press('Start over with Crane');
  expect(page.container.querySelector('input')!.value).toBe('Crane');
  expect(page.container.querySelector('textarea')!.value).toBe('');
  expect(page.container.textContent).not.toContain(other);
  await page.unmount();
});

test('a draft of another device keeps all its fields, and no note says that it is the one that should be added', async () => {
  const draft = { name: 'Pump', machine_type: 'bug', latitude: '54', longitude: '10' };
  sessionStorage.setItem(draftKey, JSON.stringify(draft));
  const fill = { name: 'My phone', machine_type: 'smartphone', latitude: '1', longitude: '2' } as const;
  const page = await mountPart(
    <AddDevice fill={fill} note={() => 'of this phone'} onClose={() => undefined} onAdded={() => undefined} />,
  );
  const stored = () => JSON.parse(sessionStorage.getItem(draftKey)!) as object;
  expect(stored()).toMatchObject(draft);
  expect(page.container.textContent).not.toContain('of this phone');
  await page.press('Start over with My phone');
  expect(stored()).toMatchObject(fill);
  expect(page.container.textContent).toContain('of this phone');
  await page.unmount();
});
