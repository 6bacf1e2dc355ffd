import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../core/problem.ts';
import { paramsOf, writeCursor } from '../../core/http/query.ts';
import { readListQuery, readMapQuery } from './device-query-parser.ts';

const list = (query: string) => readListQuery(new URLSearchParams(query));
const map = (query: string) => readMapQuery(new URLSearchParams(query));

function refusedBy(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof Problem && error.code === 'query.invalid') return error.errors!.map(({ pointer }) => pointer);
    throw error;
  }
  return [];
}

describe('the parameters of a list', () => {
  test('have defaults: own devices by name, a hundred at a time', () => {
    expect(list('')).toEqual({
      filters: { audience: 'own' },
      sort: 'name',
      limit: 100,
      cursor: undefined,
      counts: 'now',
    });
  });

  test('are parsed into the types of the contract, for map and list', () => {
    const query = 'audience=swarm:s1&q=%20Berlin%20&machine_type=bug,pc&swarm=none&placed=yes';
    const filters = { audience: 'swarm:s1', q: 'Berlin', machine_type: ['pc', 'bug'], swarm: 'none', placed: 'yes' };
    expect(list(`${query}&bbox=170,-10.5,-170,1e1`).filters).toEqual({ ...filters, bbox: [170, -10.5, -170, 10] });
    expect(map(`${query}&bbox=170,-10.5,-170,1e1&zoom=7`)).toEqual({ filters, bbox: [170, -10.5, -170, 10], zoom: 7 });
  });

  test('are parsed for any host of the request', () => {
    expect(list(paramsOf({ url: 'http://1.2.3.4.5/api/devices?q=a%20b&limit=3' }).toString())).toMatchObject({
      limit: 3,
    });
    expect(paramsOf({ url: 'http://localhost/api/devices' }).toString()).toBe('');
  });

  test('are ignored if they are unknown or empty', () => {
    expect(list('foo=bar&q=&machine_type=&sel=x')).toEqual(list(''));
  });

  test('are reported together if they are invalid', () => {
    const query =
      'audience=all&q=1&q=2&machine_type=pc,car&swarm=a/b&placed=maybe&bbox=1,2,3&sort=id&limit=1001&cursor=x';
    const names = ['audience', 'bbox', 'cursor', 'limit', 'machine_type', 'placed', 'q', 'sort', 'swarm'];
    expect(refusedBy(() => list(query)).toSorted()).toEqual(names.map((name) => `?${name}`));
  });

  test.each([
    '1,2,3',
    '1,2,3,4,5',
    'a,b,c,d',
    '0,10,0,5',
    '-181,0,0,0',
    '0,-91,0,0',
    '0,0,NaN,0',
    '0,0,,0',
    '0,0,1e999,0',
  ])('refuse a bbox that is %s', (bbox) => {
    expect(refusedBy(() => list(`bbox=${bbox}`))).toEqual(['?bbox']);
  });
});

describe('the parameters of a map', () => {
  test('have the world for a default view, but no default zoom', () => {
    expect(map('zoom=0').bbox).toEqual([-180, -90, 180, 90]);
    expect(refusedBy(() => map(''))).toEqual(['?zoom']);
  });

  test.each(['-1', '23', '1.5', 'x'])('refuse a zoom that is %s', (zoom) => {
    expect(refusedBy(() => map(`zoom=${zoom}`))).toEqual(['?zoom']);
  });
});

describe('a cursor', () => {
  test('is read as it was written, for its own sort only', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat().map((n) => n + 1),
        (key, id) => {
          const cursor = writeCursor({ sort: 'name', key, id });
          expect(cursor).toMatch(/^[\w-]+$/);
          expect(list(`cursor=${cursor}`).cursor).toEqual({ key, id });
          expect(refusedBy(() => list(`sort=-changed&cursor=${cursor}`))).toEqual(['?cursor']);
        },
      ),
    );
  });

  test('that is invalid is refused', () => {
    const json = fc.oneof(fc.json(), fc.constantFrom('["name","a","b"]', '["name","a",1.5]'));
    const garbage = fc.oneof(
      fc.string({ minLength: 1 }),
      json.map((text) => Buffer.from(text).toString('base64url')),
    );
    fc.assert(
      fc.property(garbage, (cursor) => {
        expect(refusedBy(() => list(new URLSearchParams({ cursor }).toString()))).toEqual(['?cursor']);
      }),
    );
  });
});
