import { expect, test } from 'vitest';
import { mayStill } from './write-checks.store.ts';

const relationsIn = (sql: string) => / IN \(([^()]*)\)$/.exec(sql)?.[1]?.replaceAll("'", '').split(',');

test.each([
  ['updateSwarm', ['owner'], ['owner']],
  ['sendInvitation', ['owner', 'manager'], ['owner', 'manager']],
  ['removeMember', ['owner', 'manager'], ['owner', 'manager', 'watcher', 'member']],
] as const)('a write of %s is allowed to those that the policy allows', (operation, any, withOwn) => {
  const check = { operation, swarmId: 's', userId: 'ann' };
  expect(relationsIn(mayStill({ ...check, about: 'ben' }).sql)).toEqual(any);
  expect(relationsIn(mayStill(check).sql)).toEqual(any);
  expect(relationsIn(mayStill({ ...check, about: 'ann' }).sql)).toEqual(withOwn);
});
