import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createDeviceSelection } from './device-selection.ts';
import { queryKeys } from './cache/query-keys.ts';

test('a selection belongs to the user who made it', () => {
  const client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const selection = createDeviceSelection({ client });
  selection.select(['a', 'b']);
  expect([selection.get().ids.size, selection.get().isActive]).toEqual([2, true]);
  client.setQueryData(queryKeys.account, { user_id: 'bob' });
  expect([selection.get().ids.size, selection.get().isActive]).toEqual([0, false]);
});
