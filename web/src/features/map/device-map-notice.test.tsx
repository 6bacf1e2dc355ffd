import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { DeviceMapNotice } from './device-map-notice.tsx';

const empty = { total: 0, unplaced: 0, inSight: false, bounds: null };

/** What an empty map says. */
const said = (filters: Omit<DeviceFilters, 'audience'>, isUnknown = false) =>
  renderToStaticMarkup(
    <DeviceMapNotice
      failed={false}
      onRetry={() => {}}
      building={undefined}
      isUnknown={isUnknown}
      isLoading={false}
      view={isUnknown ? null : empty}
      filters={{ audience: 'own', ...filters }}
      stored={null}
      onFit={() => {}}
    />,
  ).replaceAll(/<[^>]*>/g, '');

test.each<Omit<DeviceFilters, 'audience'>>([
  { q: 'buoy' },
  { machine_type: ['bug'] },
  { resource_type: ['both'] },
  { presence: ['silent'] },
  { swarm: 'none' },
  { placed: 'yes' },
  { refused: 'yes' },
  { action: 'x' },
  { value: 'level', value_from: 1 },
])('an empty map says so with the filter %o', (filters) => {
  expect(said(filters)).toBe('No devices in this view.');
});

test('without a filter, an empty map says nothing: the page does', () => {
  expect(said({ machine_type: [] })).toBe('');
});

test('without the server, a map of which nothing is stored says so', () => {
  expect(said({ action: 'x' }, true)).toBe('Only the server knows these devices.');
});
