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
