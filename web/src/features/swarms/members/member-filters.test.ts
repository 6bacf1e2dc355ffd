import { expect, test } from 'vitest';
import { memberActs, membersUrl, toggleMachineType, toggleRole, type MemberFilters } from './member-filters.ts';
import { changeParams } from '../../../ui/url-state.ts';

const write = (params: URLSearchParams, filters: MemberFilters) =>
  changeParams({ codec: membersUrl, params, change: { filters } });

test('filters are read from the URL, and invalid values are ignored', () => {
  const params = new URLSearchParams('tab=members&q=pier&resource_type=both,boss,producer&machine_type=bug');
  const filters = membersUrl.read(params).filters;
  expect(filters).toEqual({ q: 'pier', resource_type: ['producer', 'both'], machine_type: ['bug'] });
  expect(write(params, filters).get('resource_type')).toBe('producer,both');
  expect(write(params, {}).toString()).toBe('tab=members');
});

test('the stack of a cluster is in the URL unrounded, and an incomplete one is ignored', () => {
  const bbox = [8.123456789, 53.5, 8.123456789, 53.5] as const;
  const params = write(new URLSearchParams(), { bbox: [...bbox] });
  expect(membersUrl.read(params).filters).toEqual({ bbox });
  expect(membersUrl.read(new URLSearchParams('bbox=1,2,3')).filters).toEqual({});
  expect(membersUrl.read(new URLSearchParams('bbox=1,2,3,x')).filters).toEqual({});
});

test('the order is in the URL, and by name without one', () => {
  expect(membersUrl.read(new URLSearchParams('sort=-joined')).sort).toBe('-joined');
  expect(membersUrl.read(new URLSearchParams('sort=size')).sort).toBe('name');
  const params = changeParams({ codec: membersUrl, params: new URLSearchParams(), change: { sort: 'owner' } });
  expect(params.toString()).toBe('sort=owner');
});

test('a chip adds and removes its value', () => {
  const on = toggleRole({}, 'both');
  expect(toggleRole(on, 'producer')).toEqual({ resource_type: ['producer', 'both'] });
  expect(toggleRole(on, 'both')).toEqual({});
  expect(toggleMachineType(toggleMachineType({}, 'pc'), 'pc')).toEqual({});
});

test('an owner can set any role of their own device', () => {
  expect(memberActs({ role: 'producer', mine: true, owner: true })).toEqual({
    make: ['consumer', 'both'],
    narrow: [],
    invite: null,
    remove: true,
  });
});

test('an owner can only remove a role of another user’s device, or invite it for the other role', () => {
  expect(memberActs({ role: 'both', mine: false, owner: true })).toMatchObject({
    make: [],
    narrow: ['producer', 'consumer'],
    invite: null,
  });
  expect(memberActs({ role: 'producer', mine: false, owner: true })).toMatchObject({ narrow: [], invite: 'consumer' });
});

test('a member can give up roles of their own device or remove it, and cannot change other devices', () => {
  expect(memberActs({ role: 'both', mine: true, owner: false })).toMatchObject({
    narrow: ['producer', 'consumer'],
    remove: true,
  });
  expect(memberActs({ role: 'both', mine: false, owner: false })).toEqual({
    make: [],
    narrow: [],
    invite: null,
    remove: false,
  });
});
