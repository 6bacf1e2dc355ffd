import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { ActionHistory } from '@swarmdeck/bff/contract';
import { pastImportQuery } from './action-history.ts';

afterEach(() => vi.unstubAllGlobals());

const importOf = (id: string, hash: string, undone_by: string | null = null) => ({
  id,
  kind: 'import',
  about: { file: 'devices.csv', hash },
  undone_by,
});

/** The history has two pages. */
function serve(first: object[], second: object[]) {
  const pages: Record<string, ActionHistory> = {
    '/api/actions/history': { actions: first as ActionHistory['actions'], next: 'a_b' },
    '/api/actions/history?cursor=a_b': { actions: second as ActionHistory['actions'], next: null },
  };
  vi.stubGlobal('fetch', async (url: string) => Response.json(pages[url]));
  const client = new QueryClient();
  return async (hash: string) => (await client.fetchQuery(pastImportQuery(hash)))?.id ?? null;
}

test('an earlier import of a file is found by its hash, on any page of the history', async () => {
  const find = serve(
    [{ id: '1', kind: 'delete', about: {}, undone_by: null }, importOf('2', 'x')],
    [importOf('3', 'y')],
  );
  expect(await find('x')).toBe('2');
  expect(await find('y')).toBe('3');
  expect(await find('z')).toBeNull();
});

test('an import that was undone can be repeated without duplicates', async () => {
  const find = serve([importOf('1', 'x', 'undo')], []);
  expect(await find('x')).toBeNull();
});
