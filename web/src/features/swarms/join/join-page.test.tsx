import { QueryClient } from '@tanstack/react-query';
import type { Action, JoinOffer } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { problem, serveActions } from '../../../data/actions/actions.fixture.ts';
import { actionsOf } from '../../../data/actions/actions.ts';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { offerQuery } from '../links/links.api.ts';
import { requestsQuery } from '../requests/requests.api.ts';
import { AddDeviceDialogProvider, useAddingDevice } from '../requests/adding-device.ts';
import { JoinPage } from './join-page.tsx';

beforeAll(() => loadTexts('en'));

const swarm = { id: 's', name: 'Harbour', user_id: 'bob', description: '', public: false, member_count: 1 };
const offer = { id: 'l', pass: 'p', resource_type: 'producer', swarm } as JoinOffer;
const ended = { state: 'ended', done: 1, failed: 0 } as const;

/** Opens the page of the link; a device has begun to join by it before. */
async function open() {
  // Boxes of the page are of no interest.
  const server = serveActions({
    answer: ({ path }) => (path.startsWith('/api/actions') ? undefined : problem('', 500)),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(offerQuery('code').queryKey, offer);
  const actions = actionsOf({ client });
  const about = { link: 'l', pass: 'p', swarm };
  await actions.start({ kind: 'join', about, items: [{ id: 'd', name: 'Buoy' }] });
  const [id] = [...server.actions.keys()];
  const become = (next: Partial<Action>) => act(async () => actions.onEvent(server.change(id!, next)));
  const show = () =>
    mountPart(
      <AddDeviceDialogProvider dialog={null}>
        <JoinPage code="code" user_id="ann" />
      </AddDeviceDialogProvider>,
      client,
    );
  return { server, become, show };
}

test('shows the result of what it has seen running, and puts it away when it is left or unloaded', async () => {
  const { server, become, show } = await open();
  const { container, unmount } = await show();
  await become(ended);
  expect(container.textContent).toContain(t.links.join.done_title(1));
  await act(async () => void dispatchEvent(new Event('pagehide')));
  expect(server.sent().at(-1)).toBe('POST /api/actions/id/dismiss');
  await unmount();
});

test.each([
  ['a join that ended elsewhere is not shown, because the device may have left since', 0],
  ['but its failures are', 1],
])('%s', async (_, failed) => {
  const { server, become, show } = await open();
  await become({ ...ended, failed });
  const { container, unmount } = await show();
  expect(container.textContent.includes(t.links.join.none_joined)).toBe(failed === 1);
  expect(container.textContent).not.toContain(t.links.join.done_title(1));
  expect(container.querySelector('.join-devices') !== null).toBe(failed === 0);
  await unmount();
  expect(server.sent().at(-1)).toBe('POST /api/actions/id/dismiss');
});

test('says of an open request for another role that the link does not answer it', async () => {
  serveActions({ answer: () => problem('', 500) });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(offerQuery('code').queryKey, offer);
  const request = { is_request: true, resource_type: 'both' } as const;
  const answered = { ...request, resource_type: 'producer' } as const;
  const items = [itemOf('1', 1, request), itemOf('2', 1, answered), itemOf('3', 1, { resource_type: 'consumer' })];
  client.setQueryData(requestsQuery({ swarm_id: swarm.id, box: 'sent' }).queryKey, pageOf(items));
  const { container, unmount } = await mountPart(
    <AddDeviceDialogProvider dialog={null}>
      <JoinPage code="code" user_id="ann" />
    </AddDeviceDialogProvider>,
    client,
  );
  const link = [...container.querySelectorAll('a')].filter((each) => each.textContent.includes('Sensor'));
  expect(link.map((each) => each.getAttribute('href'))).toEqual(['/invitations?tab=sent&sel=1']);
  expect(link[0]!.parentElement!.textContent).toContain('You have asked for');
  await unmount();
});

test('a location that comes late does not make this phone of the device that is added', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(offerQuery('code').queryKey, offer);
  serveActions({ answer: () => problem('', 500) });
  let found!: PositionCallback;
  vi.stubGlobal('navigator', {
    language: 'en',
    onLine: true,
    geolocation: { getCurrentPosition: (callback: PositionCallback) => (found = callback) },
  });
  const Added = () => (useAddingDevice().thisPhone ? 'this phone' : 'a device');
  const part = (
    <AddDeviceDialogProvider dialog={<output className="added">{<Added />}</output>}>
      <JoinPage code="code" user_id="ann" />
    </AddDeviceDialogProvider>
  );
  const { container, show, press, unmount } = await mountPart(part, client);
  const onTouch = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', () => onTouch);
  await show(<div>{part}</div>);
  await press(t.links.join.phone);
  await press(t.links.join.add);
  await act(async () => found({ coords: { latitude: 54, longitude: 10, accuracy: 5 } } as GeolocationPosition));
  expect(container.querySelector('.added')?.textContent).toBe('a device');
  await unmount();
});

test('the end that was chosen is there again after a reload', async () => {
  serveActions({ answer: () => problem('', 500) });
  const show = () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    client.setQueryData(offerQuery('code').queryKey, offer);
    const page = <JoinPage code="code" user_id="ann" />;
    return mountPart(<AddDeviceDialogProvider dialog={null}>{page}</AddDeviceDialogProvider>, client);
  };
  const first = await show();
  const endOf = ({ container }: typeof first) =>
    [...container.querySelectorAll('select')].find(({ options }) =>
      [...options].some(({ value }) => value === 'hour'),
    )!;
  await expect.poll(() => endOf(first)).toBeDefined();
  await act(async () => {
    endOf(first).value = 'hour';
    endOf(first).dispatchEvent(new Event('change', { bubbles: true }));
  });
  await first.unmount();
  const second = await show();
  await expect.poll(() => endOf(second)?.value).toBe('hour');
  await second.unmount();
});
