import { QueryClient } from '@tanstack/react-query';
import { act, useEffect } from 'react';
import { useLocation, type Location } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { selectedDeviceCommands } from './selected-device-commands.tsx';
import type { SelectedDevice } from './read-selected.ts';
import { problem, serveActions } from '../../../data/actions/actions.fixture.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { discardUnsavedInput, followInput } from '../../../ui/fields/unsaved-input.ts';
import { BulkDialog } from '../../../bulk/bulk-dialog.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

let shown: Location | undefined;
function Shown() {
  const location = useLocation();
  useEffect(() => void (shown = location), [location]);
  return null;
}

/** `swarms`: those of the user. The search finds none. */
async function open(
  id: 'delete' | 'leave_swarm' | 'add_to_swarm' | 'set_description',
  count: number,
  swarms: object[] = [],
) {
  vi.stubGlobal('fetch', async (path: string) => {
    const items = path.includes('q=') ? [] : swarms;
    return Response.json({ items, total: items.length, next: null });
  });
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined });
  const onClose = vi.fn<() => void>();
  const devices = Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    name: `Buoy ${i}`,
    description: 'x',
    swarms: [] as unknown[],
  }));
  const client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const part = await mountPart(
    <>
      <Shown />
      <BulkDialog
        command={selectedDeviceCommands[id]}
        selection={{ all: false, ids: new Set(devices.map((device) => device.id)) }}
        count={count}
        read={async () => devices as SelectedDevice[]}
        onClose={onClose}
      />
    </>,
    client,
  );
  await waitFor(() => expect(part.container.querySelector('.bulk-body')).not.toBeNull());
  return { ...part, onClose };
}

test('the number that confirms is no text to lose: Esc closes without asking', async () => {
  followInput(document);
  const { container, onClose, unmount } = await open('delete', 120);
  const field = container.querySelector<HTMLInputElement>('.bulk-body input')!;
  await act(async () => {
    field.dispatchEvent(new Event('beforeinput', { bubbles: true }));
    field.setRangeText('120');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  await act(async () => void field.dispatchEvent(key));
  expect(onClose).toHaveBeenCalledOnce();
  discardUnsavedInput();
  await unmount();
});

test('a swarm that the search does not find can be created with its name, for one device', async () => {
  const swarms = ['Harbour', 'Lake'].map((name) => ({ id: name, name }));
  const { container, unmount } = await open('add_to_swarm', 1, swarms);
  await waitFor(() => expect(container.querySelector('[role=combobox]')).not.toBeNull());
  const field = container.querySelector<HTMLInputElement>('[role=combobox]')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'River ');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await waitFor(() => expect(container.textContent).toContain(t.bulk.no_swarm_found));
  const options = [...container.querySelectorAll<HTMLElement>('[role=option]')];
  expect(options.map(({ textContent }) => textContent)).toEqual([t.invite.new_swarm]);
  await act(async () => options[0]!.click());
  expect(shown).toMatchObject({
    pathname: '/swarms',
    state: { create: { name: 'River', device: { id: '0', name: 'Buoy 0' } } },
  });
  await unmount();
});

test('a description that was not stored is in the next dialog for the same devices, and one that was stored is not', async () => {
  const typeAndRun = async ({ container, press }: Awaited<ReturnType<typeof open>>, text: string) => {
    const field = container.querySelector('textarea')!;
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await press(t.bulk.actions.set_description.confirm(2));
  };
  const typed = ({ container }: Awaited<ReturnType<typeof open>>) => container.querySelector('textarea')!.value;

  const failing = await open('set_description', 2);
  serveActions({ answer: () => problem('storage.full', 507) });
  await typeAndRun(failing, 'At the quay');
  await failing.unmount();

  const ofOthers = await open('set_description', 3);
  expect(typed(ofOthers)).toBe('');
  await ofOthers.unmount();

  const next = await open('set_description', 2);
  expect(typed(next)).toBe('At the quay');
  const { actions } = serveActions();
  await typeAndRun(next, 'At the quay wall');
  await waitFor(() => expect(actions.size).toBe(1));
  await next.unmount();

  const last = await open('set_description', 2);
  expect(typed(last)).toBe('');
  await last.unmount();
});

test('a device can leave no swarm if it is in none', async () => {
  const { container, unmount } = await open('leave_swarm', 1);
  expect(container.querySelector('.bulk-body p')?.textContent).toBe(t.bulk.no_joined_swarm);
  await unmount();
});

test('without an own swarm, the dialog offers to make one, as valid HTML', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { container, unmount } = await open('add_to_swarm', 1);
  await waitFor(() => expect(container.textContent).toContain(t.bulk.no_own_swarm));
  expect(complain).not.toHaveBeenCalled();
  await unmount();
});

test('with nothing typed, the button says that the descriptions are removed', async () => {
  const { container, unmount } = await open('set_description', 2);
  const confirm = () => container.querySelector('.dialog-foot button')!.textContent;
  expect(confirm()).toBe('Remove the descriptions of 2 devices');
  expect(container.textContent).toContain('Removes the descriptions of 2 devices.');
  await act(async () => {
    const area = container.querySelector('textarea')!;
    area.setRangeText('On the pier');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(confirm()).toBe('Change 2 devices');
  await unmount();
});
