import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { changeKnown } from './change-known.ts';

const client = new QueryClient();
afterEach(() => client.clear());

test('what is to be read anew stays so when a part of it is changed', () => {
  client.setQueryData(['list'], ['a', 'b'], { updatedAt: 5 });
  void client.invalidateQueries({ queryKey: ['list'] });
  changeKnown(client, ['list'], ['a']);
  expect(client.getQueryState(['list'])).toMatchObject({ data: ['a'], isInvalidated: true, dataUpdatedAt: 5 });
});

test('what was read long ago is no younger for a change', () => {
  client.setQueryData(['list'], ['a', 'b'], { updatedAt: 5 });
  changeKnown(client, ['list'], ['a']);
  expect(client.getQueryState(['list'])).toMatchObject({ isInvalidated: false, dataUpdatedAt: 5 });
});
