import { expect, test } from 'vitest';
import { policy } from './policy.ts';
import { mayStill } from './write-checks.store.ts';

const relationsIn = (sql: string) =>
  Object.entries({ owner: 's.user_id', manager: 'managers', member: 'resources' })
    .filter(([, part]) => sql.includes(part))
    .map(([relation]) => relation);

test.each([
  ['updateSwarm', ['owner'], ['owner']],
  ['sendInvitation', ['owner', 'manager'], ['owner', 'manager']],
  ['removeMember', ['owner', 'manager'], ['owner', 'manager', 'member']],
] as const)('a write of %s is allowed to those that the policy allows', (operation, any, withResource) => {
  const check = { operation, swarmId: 's', userId: 'ann' };
  expect(relationsIn(mayStill(check).sql)).toEqual(any);
  expect(relationsIn(mayStill({ ...check, resourceId: 'r' }).sql)).toEqual(withResource);
  expect(withResource.every((relation) => policy[operation][relation] === 'allow')).toBe(true);
});
