import { expect, test } from 'vitest';
import { pathTo } from './path-to.ts';

test('an id cannot lead to another path', () => {
  const sent = (id: string) => new URL(pathTo('/api/resources/:id/swarms', { id }), 'https://swarm.example').pathname;
  expect(sent('3f5')).toBe('/api/resources/3f5/swarms');
  expect(sent('../../auth/options')).toBe('/api/resources/..%2F..%2Fauth%2Foptions/swarms');
  expect(sent('a?b#c%2f')).toBe('/api/resources/a%3Fb%23c%252f/swarms');
  expect(sent('..')).toBe('/api/resources/-/swarms');
  expect(sent('.')).toBe('/api/resources/-/swarms');
});

test('a query follows the path, if there is one', () => {
  expect(pathTo('/api/activity', {}, new URLSearchParams({ limit: '1' }))).toBe('/api/activity?limit=1');
  expect(pathTo('/api/activity', {})).toBe('/api/activity');
});
