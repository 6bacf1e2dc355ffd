import { expect, test } from 'vitest';
import { membersUrl, withShownValue, type MemberFilters } from './member-filters.ts';
import { changeParams } from '../../../ui/urls/url-state.ts';

const write = (params: URLSearchParams, filters: MemberFilters) =>
  changeParams({ codec: membersUrl, params, change: { filters } });

test('filters are read from the URL, and invalid values are ignored', () => {
  const params = new URLSearchParams('tab=members&q=pier&resource_type=both,boss,producer&machine_type=bug');
  const filters = membersUrl.read(params).filters;
  expect(filters).toEqual({ q: 'pier', resource_type: ['producer', 'both'], machine_type: ['bug'] });
  expect(write(params, filters).get('resource_type')).toBe('producer,both');
  expect(write(params, {}).toString()).toBe('tab=members');
});

test('the stack of a cluster is in the URL unrounded, and an incomplete one is ignored', () => {
  const bbox = [8.123456789, 53.5, 8.123456789, 53.5] as const;
  const params = write(new URLSearchParams(), { bbox: [...bbox] });
  expect(membersUrl.read(params).filters).toEqual({ bbox });
  expect(membersUrl.read(new URLSearchParams('bbox=1,2,3')).filters).toEqual({});
  expect(membersUrl.read(new URLSearchParams('bbox=1,2,3,x')).filters).toEqual({});
});

test('the order is in the URL, and by name without one', () => {
  expect(membersUrl.read(new URLSearchParams('sort=-joined')).sort).toBe('-joined');
  expect(membersUrl.read(new URLSearchParams('sort=size')).sort).toBe('name');
  const params = changeParams({ codec: membersUrl, params: new URLSearchParams(), change: { sort: 'owner' } });
  expect(params.toString()).toBe('sort=owner');
});

test('the value that is shown is in the URL, and an order by it needs one', () => {
  const query = 'sort=-value&values=level&value=level&value_from=30&colour=value';
  expect(membersUrl.read(new URLSearchParams(query))).toMatchObject({
    filters: { values: ['level'], value: 'level', value_from: 30 },
    sort: '-value',
    byValue: true,
  });
  expect(membersUrl.read(new URLSearchParams('sort=-value&colour=value'))).toMatchObject({
    sort: 'name',
    byValue: false,
  });
});

test('an order by a value goes on with another one, and ends without', () => {
  const now = { filters: { q: 'a', values: ['level'], value: 'level' }, sort: '-value' } as const;
  expect(withShownValue(now, { values: ['rain'] })).toEqual({
    filters: { q: 'a', values: ['rain'], value: 'rain' },
    sort: '-value',
  });
  expect(withShownValue(now, {})).toEqual({ filters: { q: 'a' }, sort: 'name' });
});
