import { expect, test } from 'vitest';
import type { MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { rightsOnMember } from './swarm-rights.ts';

/** What `user_id` may do to a device of `owner` in a swarm of otto. */
const actions = (owner: string, role: MemberRole, relation: SwarmItem['relation'], user_id: string) =>
  rightsOnMember({
    swarm: { user_id: 'otto', relation },
    member: { user_id: owner, resource_type: role },
    mine: owner === user_id,
  });

test('an owner can set any role of their own device', () => {
  expect(actions('otto', 'producer', 'owner', 'otto')).toEqual({
    changeTo: ['consumer', 'both'],
    reduceTo: [],
    invite: null,
    remove: true,
    end: { latest: undefined },
    offersEnd: false,
  });
});

test('an owner can only remove a role of another user’s device, or invite it for the other role', () => {
  expect(actions('ada', 'both', 'owner', 'otto')).toMatchObject({
    changeTo: [],
    reduceTo: ['producer', 'consumer'],
    invite: null,
  });
  expect(actions('ada', 'producer', 'owner', 'otto')).toMatchObject({
    reduceTo: [],
    invite: 'consumer',
  });
});

test('a manager does not invite a device of the owner', () => {
  expect(actions('otto', 'producer', 'manager', 'mia')).toMatchObject({
    invite: null,
  });
});

test('a member can give up roles of their own device or remove it, and cannot change other devices', () => {
  expect(actions('ada', 'both', 'member', 'ada')).toMatchObject({
    reduceTo: ['producer', 'consumer'],
    remove: true,
  });
  expect(actions('ada', 'both', 'member', 'mia')).toEqual({
    changeTo: [],
    reduceTo: [],
    invite: null,
    remove: false,
    end: null,
    offersEnd: false,
  });
});

test('the owner of a device sets its end as far as the swarm offers, the other side only an earlier one, and offers later ones', () => {
  const [early, late] = ['2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z'];
  const member = { user_id: 'ada', resource_type: 'producer', ends_at: early, ends_at_most: late } as const;
  const offers = (relation: SwarmItem['relation'], more: object = {}) =>
    rightsOnMember({ swarm: { user_id: 'otto', relation }, member: { ...member, ...more }, mine: false }).offersEnd;
  expect((['owner', 'manager', 'watcher', 'member'] as const).map((relation) => offers(relation))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([offers('owner', { ends_at: undefined }), offers('manager', { user_id: 'otto' })]).toEqual([false, false]);
  const endIn = (relation: SwarmItem['relation'], mine: boolean) =>
    rightsOnMember({ swarm: { user_id: 'otto', relation }, member, mine }).end;
  expect(endIn('member', true)).toEqual({ latest: late });
  expect(endIn('owner', false)).toEqual({ latest: early });
  expect(endIn('manager', false)).toEqual({ latest: early });
  expect(endIn('watcher', false)).toBeNull();
});
