import { expect, test } from 'vitest';
import { exportPath, isSearch, localInput, searchUrl, timeOfInput } from './message-search.ts';

const read = (query: string) => searchUrl.read(new URLSearchParams(query));

test('the URL has the search, without times that are none', () => {
  const found = read('from=d1&q=level&after=2026-11-24T10:00:00%2B01:00&before=soon');
  expect(found).toEqual({ from: 'd1', q: 'level', after: '2026-11-24T09:00:00.000Z', before: '' });
  expect(
    read(
      new URLSearchParams(searchUrl.write(found) as Record<string, string>).toString().replace('&before=undefined', ''),
    ),
  ).toEqual(found);
});

test('one device alone is no search: its list is live', () => {
  expect(isSearch(read('from=d1&q=%20'))).toBe(false);
  expect(isSearch(read('after=2026-11-24T10:00:00Z'))).toBe(true);
});

test('a time of an input is local, with its seconds', () => {
  const iso = '2026-07-01T10:20:30.000Z';
  expect(timeOfInput(localInput(iso))).toBe(iso);
  expect([localInput(''), timeOfInput('')]).toEqual(['', '']);
});

test('an export has the same filters as the list', () => {
  const path = exportPath('s1', read('from=d1&q=level&after=2026-11-24T10:00:00Z'), 'csv');
  expect(path).toBe(
    '/api/swarms/s1/messages/export?format=csv&resource_id=d1&q=level&sent_after=2026-11-24T10%3A00%3A00.000Z',
  );
});
