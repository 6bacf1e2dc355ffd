import { capital } from './plurals.ts';
import { plural } from './plurals.ts';

/** Words of the members of a swarm, and of adding to them. */
export const members = {
  table: 'Members',
  sheet: 'Height of the member list',
  search: 'Search members',
  search_hint: 'Member, owner or id',
  filters: 'Filters',
  add: 'Add own devices',
  device: 'Device',
  owner: 'Owner',
  role: 'Role',
  changed: 'Changed',
  acts: 'Acts',
  acts_of: (name: string) => `What to do with ${name}`,
  open: 'Open device',
  make: (role: string) => `Make ${role}`,
  only: (role: string) => `Only ${role} from now on`,
  invite_as: (role: string) => `Invite as ${role} too`,
  remove: 'Remove from the swarm',
  leave: 'Leave the swarm',
  removing: 'Removing {name} from {swarm}',
  leaving: '{name} leaves {swarm}',
  going: 'Leaving …',
  undo: 'Undo',
  refused: 'It is still a member',
  role_refused: 'The role was not changed',
  role_changed: (name: string, role: string) => `${name} is ${role} now`,
  empty_title: 'No members yet',
  empty_text: 'Add devices of your own, or invite others by their invite codes.',
  no_match_title: 'No member matches',
  no_match_text: 'Search and filters stay on until you take them off.',
  clear: 'Clear search and filters',
  error_title: 'The members could not be loaded',
};

export const addMembers = {
  title: 'Add own devices',
  text: 'Yours join at once, without an invitation.',
  role: 'Role',
  search: 'Search your devices',
  search_hint: 'Name, description or id',
  devices: 'Your devices',
  all: (count: string) => `Select all ${count} devices`,
  all_matching: (count: string) => `Select all ${count} matching devices`,
  already: (role: string) => `already ${role}`,
  submit: (count: number, text: string) =>
    count === 0 ? 'Add devices' : `Add ${text} ${plural(count, { one: 'device', other: 'devices' })}`,
  selected: (text: string) => `${text} selected`,
  reading: (read: string, all: string) => `Reading ${read} of ${all}`,
  not_read: 'Your devices could not be read',
  adding: (count: number, text: string) =>
    `Adding ${text} ${plural(count, { one: 'device', other: 'devices' })} to {swarm}`,
  progress: (done: string, all: string) => `Adding ${done} of ${all}`,
  close: 'Close',
  none: 'You have no device that matches.',
  none_at_all: 'You have no devices yet. Add one under Devices first.',
  added: (count: number, text: string) => `${text} ${plural(count, { one: 'device', other: 'devices' })} joined`,
  some_failed: (count: number, text: string) =>
    `${capital(text)} ${plural(count, { one: 'device was', other: 'devices were' })} not added`,
};
