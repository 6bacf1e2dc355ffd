import { QueryClient } from '@tanstack/react-query';
import type { Action } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test } from 'vitest';
import { failedItems } from '../../data/actions/actions.ts';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { FailedItems, mayRetry } from './failed-items.tsx';

beforeAll(() => loadTexts('en'));

test('what has succeeded does not make another attempt useful', () => {
  expect(mayRetry({ kind: 'answer' }, [null, { code: 'link.not_found' }])).toBe(false);
  expect(mayRetry({ kind: 'answer' }, [null, { code: 'storage.away' }])).toBe(true);
});

test('an undo can be tried again, because a deletion that was undone brings the device back', () => {
  expect(mayRetry({ kind: 'undo' }, [{ code: 'resource.not_found' }])).toBe(true);
});

test('an undo has nothing more to do where it has put back all fields that were not changed since', () => {
  expect(mayRetry({ kind: 'undo' }, [null, { code: 'action.partly_undone' }])).toBe(false);
});

test.each([
  { codes: ['link.not_found', 'link.not_found'], canRetry: false },
  { codes: ['link.not_found', 'storage.away'], canRetry: true },
  { codes: ['link.not_found', 'membership.not_found'], canRetry: true },
])('items that failed with $codes can be tried again: $canRetry', async ({ codes, canRetry }) => {
  const client = new QueryClient();
  const results = codes.map((code, at) => ({ item: { id: `d${at}`, name: `Buoy ${at}` }, result: { code } }));
  client.setQueryData(failedItems('a').queryKey, results);
  const action = { id: 'a', kind: 'join', failed: codes.length } as unknown as Action;
  const { container, unmount } = await mountPart(<FailedItems action={action} onClose={() => undefined} />, client);
  expect(container.textContent).toContain('Buoy 0The link has ended, or has reached its limit of devices.');
  const buttons = [...container.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(buttons.includes(t.shell.kit.retry)).toBe(canRetry);
  await unmount();
});
