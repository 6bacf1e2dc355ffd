import { expect, test } from 'vitest';
import { allOf, join, listOf, raw, sql } from './statement.ts';

test('values become numbered parameters, and those of nested SQL are numbered again', () => {
  const isOwn = sql`user_id = ${'ann'}`;
  const statement = sql`SELECT ${raw('id')} FROM resources WHERE name = ${'a'} AND ${isOwn} AND id IN (${listOf(['x', 'y'])})`;
  expect(statement.sql).toBe('SELECT id FROM resources WHERE name = $1 AND user_id = $2 AND id IN ($3, $4)');
  expect(statement.params).toEqual(['a', 'ann', 'x', 'y']);
  expect(allOf([isOwn, isOwn])).toEqual({ sql: '(user_id = $1) AND (user_id = $2)', params: ['ann', 'ann'] });
  expect(allOf([]).sql).toBe('true');
  expect(join([isOwn, raw('true')], ' OR ').sql).toBe('user_id = $1 OR true');
});

test('nested SQL may use a parameter twice and may have more than nine', () => {
  const nested = { sql: '$1 = $1 AND $10 = $2', params: Array.from({ length: 10 }, (_, index) => index) };
  expect(sql`${'first'} ${nested}`.sql).toBe('$1 $2 = $2 AND $11 = $3');
});
