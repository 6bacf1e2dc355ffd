import { beforeAll, expect, test } from 'vitest';
import type { SwarmAudience } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../text/text.ts';
import { whoSees } from './audience-line.tsx';

beforeAll(() => loadTexts('en'));

const seenBy = (users: number, ...names: string[]): SwarmAudience => ({
  swarm: { id: 's', name: 'Harbour weather' },
  named: names.map((user_id, index) => ({ user_id, role: index === 0 ? 'owner' : 'watcher' })),
  users,
  reach: 'private',
  since: '',
  known_since: '',
});

test('names two users, and counts the others; the named ones may be among those with devices', () => {
  expect(whoSees([seenBy(16, 'max', 'ola', 'wim', 'wok')], 'ann', 1)).toEqual({
    names: ['max', 'ola'],
    rest: ['2 more users', 'everyone with a device in the same swarm (15 besides you)'],
  });
});

test('of several swarms, the users with devices are not counted, because they may be the same', () => {
  const { names, rest } = whoSees([seenBy(3, 'max'), seenBy(5, 'max', 'ann')], 'ann', 2);
  expect([names, rest]).toEqual([['max'], ['users with devices in any of its 2 swarms']]);
});

test('an own swarm that nobody else is in shows the device to nobody', () => {
  expect(whoSees([seenBy(1, 'ann')], 'ann', 1)).toEqual({ names: [], rest: [] });
});
