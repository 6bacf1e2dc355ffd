import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { observeServerTime } from '../../data/server-clock.ts';
import { seriesOf } from '../../data/values/series.ts';
import { deviceValuesQuery, type ReadValues } from '../../data/values/values.api.ts';
import { lengths } from './fitting-range.ts';
import { useChartValues, type ChartRange } from './use-chart-values.ts';

afterEach(() => observeServerTime({ date: new Date().toUTCString(), now: Date.now() }));

test('a zoom has the newest value, although the clock of the server seems to be behind it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const newest = Date.now();
  observeServerTime({ date: new Date(newest - 30_000).toUTCString(), now: newest });
  const series = seriesOf([{ from: 'buoy', sent_at: new Date(newest).toISOString(), payload: { temperature: 20 } }]);
  const queryOf = (range: Parameters<typeof deviceValuesQuery>[0]['range']) =>
    deviceValuesQuery({ device: { id: 'buoy' }, range, isLive: true });
  const client = new QueryClient();
  for (const length of Object.values(lengths))
    client.setQueryData<ReadValues>(queryOf({ length }).queryKey, {
      series,
      end: newest,
      isFull: false,
      leftOut: [],
      chosen: null,
    });
  const shown: { range?: ChartRange } = {};
  function Range() {
    shown.range = useChartValues({ queryOf, live: undefined }).range;
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Range />
      </QueryClientProvider>,
    ),
  );
  await act(async () => shown.range!.zoomTo([newest - 2000, newest + 5000]));
  expect(shown.range!.span).toEqual([newest - 7000, newest]);
  await act(async () => root.unmount());
});
