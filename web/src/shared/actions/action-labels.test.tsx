import { beforeAll, expect, test } from 'vitest';
import type { Action } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { labelsOf } from './action-labels.tsx';

beforeAll(() => loadTexts('en'));

test.each<[terms: object, says: RegExp]>([
  [{}, /^Accepting the invitation to Harbour for Buoy$/],
  [{ ends_at: new Date().toISOString() }, /^Accepting the invitation to Harbour for Buoy, until \d\d:\d\d/],
])('an invitation that is being accepted is named with the end that was chosen: %#', async (terms, says) => {
  const about = { answer: 'accept', ...terms };
  const items = [{ id: 'i1', name: 'Buoy', swarm: 'Harbour' }];
  const action = { kind: 'answer', about, items, total: 1 } as unknown as Action;
  const { container, unmount } = await mountPart(labelsOf(action).label(action));
  expect(container.textContent.replaceAll(/\p{Cf}/gu, '')).toMatch(says);
  await unmount();
});

test.each<[kind: string, about: object, items: object[], says: string]>([
  ['answer', { answer: 'accept' }, [{ is_later_end: true }], 'Accepting the later end for Buoy in Harbour'],
  ['answer', { answer: 'reject' }, [{ is_later_end: true }, { is_later_end: true }], 'Rejecting 2 later ends'],
  ['answer', { answer: 'accept' }, [{ is_later_end: true }, {}], 'Accepting 2 invitations'],
  ['answer', { answer: 'accept' }, [{ is_request: true }], 'Accepting the request to join Harbour with Buoy'],
  ['withdraw', {}, [{ is_later_end: true }], 'Withdrawing the later end offered to Buoy'],
  ['withdraw', {}, [], 'Withdrawing 0 invitations'],
])('an answer says what is answered: %s %j %j', async (kind, about, items, says) => {
  const named = items.map((item, index) => ({ id: `i${index}`, name: 'Buoy', swarm: 'Harbour', ...item }));
  const action = { kind, about, items: named, total: named.length } as unknown as Action;
  const { container, unmount } = await mountPart(labelsOf(action).label(action));
  expect(container.textContent.replaceAll(/\p{Cf}/gu, '')).toBe(says);
  await unmount();
});

test('an import that is uploaded is named by what it does: its progress says that it is uploaded', async () => {
  const action = { kind: 'import', state: 'uploading', about: { file: 'm.csv' }, total: 50 } as unknown as Action;
  const { container, unmount } = await mountPart(labelsOf(action).label(action));
  expect(container.textContent.replaceAll(/\p{Cf}/gu, '')).toBe('Importing m.csv');
  await unmount();
});

test.each([
  [9, '9 kept, because they were changed or used since then'],
  [8, '9 could not be undone'],
])('an undo of 9 records says what has become of them, of which %j had changed since', (kept, says) => {
  const about = { kind: 'import', of: { file: 'm.csv' } };
  const results = [{ code: 'action.changed_since' }];
  const action = { kind: 'undo', about, failed: 9, kept, results } as unknown as Action;
  expect(labelsOf(action).failedLabel(action)).toBe(says);
});
