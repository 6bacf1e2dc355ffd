import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ListSort } from '../device-filters.ts';
import { useSortPoint } from './use-sort-point.ts';

function open(opened: ListSort) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const clearWatch = vi.fn<(id: number) => void>();
  let found: PositionCallback = () => undefined;
  let failed: PositionErrorCallback = () => undefined;
  const watchPosition = vi.fn<(...of: [PositionCallback, PositionErrorCallback]) => number>((...of) => {
    [found, failed] = of;
    return 7;
  });
  Object.defineProperty(navigator, 'geolocation', { value: { watchPosition, clearWatch }, configurable: true });
  const shown = {
    sort: opened,
    point: undefined as unknown as ReturnType<typeof useSortPoint>,
    choose: (_sort: ListSort) => {},
  };
  function Page() {
    const [sort, choose] = useState(opened);
    const point = useSortPoint({ sort, setSort: choose });
    useLayoutEffect(() => {
      Object.assign(shown, { sort, point, choose });
    }, [sort, point, choose]);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  const client = new QueryClient();
  act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  onTestFinished(() => act(() => root.unmount()));
  return {
    shown,
    watchPosition,
    clearWatch,
    sortBy: (sort: ListSort) => act(() => shown.choose(sort)),
    move: (latitude: number, longitude: number) =>
      act(() => found({ coords: { latitude, longitude, accuracy: 10 } } as GeolocationPosition)),
    fail: () => act(() => failed({ code: 1 } as GeolocationPositionError)),
  };
}

test('distances follow the user, the order only after a way, and both end with another order', () => {
  const { shown, watchPosition, clearWatch, sortBy, move } = open('name');
  expect(watchPosition).not.toHaveBeenCalled();
  act(() => shown.point.locate());
  move(54, 10);
  expect(shown).toMatchObject({ sort: 'near', point: { from: '54,10', at: '54,10' } });
  move(54.001, 10);
  expect(shown.point).toMatchObject({ from: '54,10', at: '54.001,10' });
  move(54.003, 10);
  expect(shown.point).toMatchObject({ from: '54.003,10', at: '54.003,10' });
  expect(watchPosition).toHaveBeenCalledTimes(1);
  expect(clearWatch).not.toHaveBeenCalled();
  sortBy('name');
  expect(clearWatch).toHaveBeenCalledTimes(1);
});

test('a page that is opened with this order asks for the location, and shows another one without it', () => {
  const { shown, watchPosition, fail } = open('near');
  expect(watchPosition).toHaveBeenCalledTimes(1);
  fail();
  expect(shown).toMatchObject({ sort: 'name', point: { error: 'denied' } });
});

test('a location that arrives after another order was chosen changes nothing', () => {
  const { shown, clearWatch, move } = open('name');
  act(() => shown.point.locate());
  act(() => shown.point.stop());
  expect(clearWatch).toHaveBeenCalledOnce();
  move(54, 10);
  expect(shown.sort).toBe('name');
});
