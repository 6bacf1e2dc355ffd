import { act, useLayoutEffect } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import type { Bbox } from '../../../data/filter-params.ts';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HomeState } from './home-state.tsx';
import { useDeviceSelection } from './use-device-selection.ts';

beforeAll(() => loadTexts('en'));

const view: Bbox = [9, 53, 10, 54];

async function mountSelection(respond: () => Response) {
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    init?.signal?.throwIfAborted();
    return path.includes('limit=1000') ? respond() : devices();
  });
  const shown: { now?: ReturnType<typeof useDeviceSelection> } = {};
  function Page() {
    const selection = useDeviceSelection();
    useLayoutEffect(() => {
      shown.now = selection;
    });
    return null;
  }
  const { waitFor, unmount } = await mountPart(
    <HomeState userId="ann">
      <Page />
    </HomeState>,
  );
  return { selection: () => shown.now!, waitFor, unmount };
}

const devices = () =>
  Response.json({
    items: [{ ...deviceFields, id: 'b', name: 'Buoy' }],
    next: null,
    total: 1,
    at: '2026-01-02T04:00:00.000Z',
    facets,
  });

test('selecting the devices in view can be stopped while its code loads', async () => {
  const { selection, unmount } = await mountSelection(devices);
  act(() => selection().select.selectWithin(view));
  // So Esc stops it.
  expect(selection().selected).toMatchObject({ isActive: true, isReading: true });
  act(() => selection().select.clear());
  await act(() => import('../bulk/select-within.ts'));
  await act(async () => {});
  expect(selection().selected).toMatchObject({ isActive: false, isReading: false, count: 0 });
  await unmount();
});

test('the devices in view are selected besides those that are', async () => {
  const { selection, waitFor, unmount } = await mountSelection(devices);
  act(() => selection().select.toggle('a', false));
  act(() => selection().select.selectWithin(view));
  await waitFor(() => expect(selection().selected).toMatchObject({ isActive: true, isReading: false, count: 2 }));
  await unmount();
});

test('if they cannot be read, the rows have no checkboxes', async () => {
  const { selection, waitFor, unmount } = await mountSelection(() => Response.json({}, { status: 500 }));
  act(() => selection().select.selectWithin(view));
  await waitFor(() => expect(selection().selected).toMatchObject({ isActive: false, isReading: false, count: 0 }));
  await unmount();
});
