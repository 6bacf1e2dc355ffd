import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { Problem } from '../problem.ts';
import { id, oneOf, parsed, readQuery, someOf, wholeNumber } from './query.ts';

const schema = z.object({
  sort: oneOf(['name', 'age']).default('name'),
  kinds: someOf(['a', 'b', 'c']).optional(),
  limit: wholeNumber({ least: 1, most: 200 }).default(100),
  resource: id('the id of a resource').optional(),
  even: parsed('an even number', (text) => (Number(text) % 2 === 0 ? Number(text) : undefined)),
});
const read = (query: string) => readQuery(new URLSearchParams(query), schema);

function faultsOf(query: string) {
  try {
    read(query);
  } catch (error) {
    if (error instanceof Problem && error.code === 'query.invalid') return error.errors;
    throw error;
  }
  return [];
}

test('a query is parsed into the values of its schema, without absent ones', () => {
  expect(read('even=4')).toStrictEqual({ sort: 'name', limit: 100, even: 4 });
  expect(read('even=4&kinds=c,a,c&limit=7&resource=r-1&sort=age')).toStrictEqual({
    sort: 'age',
    kinds: ['a', 'c'],
    limit: 7,
    resource: 'r-1',
    even: 4,
  });
});

test('unknown and empty parameters are ignored', () => {
  expect(read('even=4&x=1&x=2&__proto__=1&sort=&limit=')).toStrictEqual(read('even=4'));
});

test('empty parameters may be kept, and are then invalid', () => {
  expect(() => readQuery(new URLSearchParams('even=4&sort='), schema, { keepsEmpty: true })).toThrow(Problem);
});

test('each invalid parameter has one error, and all are reported together', () => {
  expect(faultsOf('sort=size&kinds=a,d,e&limit=0&limit=1&resource=a/b&even=3')).toEqual([
    { pointer: '?limit', code: 'query.invalid', detail: 'occurs more than once' },
    { pointer: '?sort', code: 'field.not_allowed', detail: 'must be one of name, age' },
    { pointer: '?kinds', code: 'query.invalid', detail: 'must be one or more of a, b, c, separated by commas' },
    { pointer: '?resource', code: 'query.invalid', detail: 'must be the id of a resource' },
    { pointer: '?even', code: 'query.invalid', detail: 'must be an even number' },
  ]);
});

test.each(['', '0', '201', '-1', '1.5', '1e2', 'x', '9999999999999999'])(
  'a limit of "%s" is refused or absent',
  (limit) => {
    const expected = limit === '' ? [] : [{ detail: 'must be a whole number from 1 to 200' }];
    expect(faultsOf(`even=2&limit=${limit}`)).toMatchObject(expected);
  },
);

test('a required parameter that is absent is named', () => {
  expect(faultsOf('')).toEqual([{ pointer: '?even', code: 'query.invalid', detail: 'is required: an even number' }]);
});
