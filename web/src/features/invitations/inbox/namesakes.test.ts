import { expect, test } from 'vitest';
import { itemOf, pageOf } from '../../../data/cache/invitation.fixture.ts';
import { isNamesake } from './namesakes.ts';

const device = (name: string) => ({ name, machine_type: 'bug' as const });
const item = (id: string, resource_id: string, name: string) => itemOf(id, 1, { resource_id, device: device(name) });

test('a namesake is another device of the same name, on any page', () => {
  const [one, same, other] = [item('1', 'a', 'Pump'), item('2', 'b', 'Pump'), item('3', 'c', 'Well')];
  expect([one, same, other].map((each) => isNamesake([pageOf([one, same, other])], each))).toEqual([true, true, false]);
  expect([one, same].map((each) => isNamesake([pageOf([one]), pageOf([other, same])], each))).toEqual([true, true]);
});

test('a device with two invitations is no namesake of itself, and a deleted one has no name', () => {
  const [first, second] = [item('1', 'a', 'Pump'), item('2', 'a', 'Pump')];
  const deleted = itemOf('3', 1, { resource_id: 'b', device: null });
  const pages = [pageOf([first, second, deleted])];
  expect([first, second, deleted].map((each) => isNamesake(pages, each))).toEqual([false, false, false]);
});
