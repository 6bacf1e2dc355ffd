import { QueryClient } from '@tanstack/react-query';
import { act, useLayoutEffect, type ReactNode } from 'react';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { ListUnderHead } from './device-panel.tsx';
import { HomeState, useHome } from './home-state.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const view: Bbox = [9, 53, 10, 54];

async function mountSelection(
  respond: () => Response | Promise<Response>,
  part: ReactNode = null,
  { total }: { total?: number } = {},
) {
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    init?.signal?.throwIfAborted();
    return path.includes('limit=1000') ? respond() : devices(total);
  });
  const shown: { now?: ReturnType<typeof useHome<'selection'>> } = {};
  function Page() {
    const selection = useHome('selection');
    useLayoutEffect(() => {
      shown.now = selection;
    });
    return null;
  }
  const client = new QueryClient();
  const { container, show, unmount } = await mountPart(
    <HomeState userId="ann">
      <Page />
      {part}
    </HomeState>,
    client,
  );
  const stored = () => deviceSelectionOf({ client }).get();
  return { selection: () => shown.now!, stored, container, leave: () => show(null), unmount };
}

const devices = (total = 2) =>
  Response.json({
    items: [{ ...deviceFields, id: 'b', name: 'Buoy' }],
    next: null,
    // By default, not all are loaded.
    total,
    at: '2026-01-02T04:00:00.000Z',
    facets,
  });

test('selecting the devices in view can be stopped while its code loads', async () => {
  const { selection, unmount } = await mountSelection(devices);
  act(() => selection().check.within(view));
  // So Esc stops it.
  expect(selection().checked).toMatchObject({ isActive: true, isReading: true });
  act(() => selection().check.clear());
  await act(() => import('../bulk/select-within.ts'));
  await act(async () => {});
  expect(selection().checked).toMatchObject({ isActive: false, isReading: false, count: 0 });
  await unmount();
});

test('the devices in view are selected besides those that are', async () => {
  const { selection, unmount } = await mountSelection(devices);
  act(() => selection().check.toggle('a', false));
  act(() => selection().check.within(view));
  await waitFor(() => expect(selection().checked).toMatchObject({ isActive: true, isReading: false, count: 2 }));
  await unmount();
});

test('"all" of a list without filters drops a device that it does not have any more', async () => {
  const { selection, stored, unmount } = await mountSelection(devices, null, { total: 1 });
  act(() => selection().check.toggle('a', false));
  await waitFor(() => expect(selection().checked.total).toBe(1));
  act(() => selection().check.all());
  expect(stored().ids).toEqual(new Set(['b']));
  await unmount();
});

test('if they cannot be read, the rows have no checkboxes', async () => {
  const { selection, unmount } = await mountSelection(() => Response.json({}, { status: 500 }));
  act(() => selection().check.within(view));
  await waitFor(() => expect(selection().checked).toMatchObject({ isActive: false, isReading: false, count: 0 }));
  await unmount();
});

/** Begins to read the devices in view, which the server holds back until `answer`. */
async function beginReading(part?: ReactNode) {
  const held = Promise.withResolvers<Response>();
  const mounted = await mountSelection(() => held.promise, part);
  act(() => mounted.selection().check.toggle('a', false));
  act(() => mounted.selection().check.within(view));
  expect(mounted.selection().checked.isReading).toBe(true);
  await act(() => import('../bulk/select-within.ts'));
  const answer = () => act(async () => held.resolve(devices()));
  return { ...mounted, answer };
}

test('selecting all ends a reading, which does not replace it by what it finds', async () => {
  const { selection, stored, answer, unmount } = await beginReading();
  act(() => selection().check.all());
  act(() => selection().check.toggle('a', false));
  expect(selection().checked.isReading).toBe(false);
  await answer();
  expect(stored()).toMatchObject({ all: true, ids: new Set(['a']) });
  await unmount();
});

test('beginning another selection ends a reading', async () => {
  const { selection, stored, answer, unmount } = await beginReading();
  act(() => selection().check.begin());
  await answer();
  expect(stored()).toMatchObject({ ids: new Set(), isActive: true });
  await unmount();
});

test('other filters end a reading', async () => {
  const { selection, stored, answer, unmount } = await beginReading();
  await act(async () => {
    history.replaceState(null, '', '/?machine_type=bug');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  expect(selection().checked.isReading).toBe(false);
  await answer();
  expect(stored().ids).toEqual(new Set(['a']));
  await unmount();
  history.replaceState(null, '', '/');
});

test('leaving the page ends a reading', async () => {
  const { stored, answer, leave, unmount } = await beginReading();
  await leave();
  await answer();
  expect(stored().ids).toEqual(new Set(['a']));
  await unmount();
});

test('while devices are read, no command applies to those that were selected before', async () => {
  const { container, answer, unmount } = await beginReading(<ListUnderHead />);
  // An `act` that fails would drop what renders meanwhile.
  const menu = () =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent.includes(t.bulk.menu));
  await waitFor(() => expect(menu()?.disabled).toBe(true));
  await answer();
  await waitFor(() => expect(menu()?.disabled).toBe(false));
  await unmount();
});

test('nothing is selected among the devices of others', async () => {
  const { selection, stored, container, unmount } = await mountSelection(devices, <ListUnderHead />);
  onTestFinished(() => history.replaceState(null, '', '/'));
  act(() => selection().check.toggle('a', false));
  act(() => selection().check.toggle('b', false));
  await act(async () => {
    history.replaceState(null, '', '/?audience=visible');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  expect(selection().checked.isActive).toBe(false);
  expect(stored()).toMatchObject({ isActive: false, ids: new Set() });
  expect(container.textContent).toContain(t.devices.selection.ended);
  await unmount();
});
