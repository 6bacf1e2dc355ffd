import type { Action } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { isInLog } from './action-list.tsx';

const ended = { kind: 'answer', total: 1, done: 1, failed: 0, can_undo: false } as Action;

test.each<[string, Partial<Action>, boolean]>([
  ['an accepted invitation', {}, true],
  ['an edit, which the log does not have', { kind: 'edit' }, false],
  ['a deletion that can be undone', { kind: 'delete', can_undo: true }, false],
  ['what has failed', { failed: 1 }, false],
  ['what was stopped', { done: 0 }, false],
])('the list of own changes leaves out only what the log says too: %s', (_, change, isLeftOut) => {
  expect(isInLog({ ...ended, ...change } as Action)).toBe(isLeftOut);
});
