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

test('the same parts have the same text, also if they have other values or another number of them', () => {
  const among = (ids: readonly string[], user: string) => sql`id IN (${listOf(ids)}) AND user_id = ${user}`;
  for (let count = 1; count <= 300; count++) {
    const ids = Array.from({ length: count }, (_, index) => `id-${index}`);
    const numbers = ids.map((_, index) => `$${index + 1}`).join(', ');
    for (const user of ['ann', 'bob'])
      expect(among(ids, user)).toEqual({
        sql: `id IN (${numbers}) AND user_id = $${count + 1}`,
        params: [...ids, user],
      });
  }
});

test('parts with the same text and another number of parameters are different', () => {
  const unused = (params: string[]) => sql`${{ sql: 'true', params }} AND id = ${'x'}`.sql;
  expect([unused([]), unused(['a']), unused([]), unused(['a', 'b'])]).toEqual([
    'true AND id = $1',
    'true AND id = $2',
    'true AND id = $1',
    'true AND id = $3',
  ]);
  expect([join([], 'id = '), join([raw('a')], 'id = '), sql`id = ${'a'}`].map((one) => one.sql)).toEqual([
    '',
    'a',
    'id = $1',
  ]);
});

test('texts that were forgotten, because all together took too much memory, are the same again', () => {
  const texts = new Set<string>();
  const built = () => sql`SELECT ${raw('1')}`.sql;
  const before = built();
  // 10 MB of texts
  for (let count = 0; count < 100; count++) texts.add(sql`${raw(`${count} ${'x'.repeat(100_000)}`)}`.sql);
  expect(texts.size).toBe(100);
  expect(built()).toBe(before);
});
