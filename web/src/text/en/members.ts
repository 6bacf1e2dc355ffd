import { deviceCount } from './plural.ts';

export const members = {
  table: 'Members',
  sheet: 'Height of the member list',
  search: 'Search members',
  search_hint: 'Name, owner, ID',
  sort_by: (order: string) => `Sort by: ${order}`,
  sort: {
    name: 'Name',
    owner: 'Owner',
    '-changed': 'Last change',
    '-heard': 'Last heard',
    '-joined': 'Last joined',
    '-value': 'Highest value',
    value: 'Lowest value',
  },
  filters: 'Filters',
  add: 'Add your devices',
  begin_selection: 'Select members',
  device: 'Device',
  owner: 'Owner',
  role: 'Role',
  heard: 'Heard',
  selected: 'Selected',
  actions: 'Actions',
  actions_of: (name: string) => `Actions for ${name}`,
  open: 'Open device',
  make: (role: string) => `Change role: ${role}`,
  only: (role: string) => `Change role: only ${role}`,
  invite_as: (role: string) => `Also invite: ${role}`,
  remove: 'Remove from swarm',
  leave: {
    action: 'Leave',
    of: (swarm: string) => `Leave ${swarm}`,
    menu: 'Leave swarm…',
    title: 'Leave {swarm}?',
    text: '{device} leaves the swarm. You can undo this for a short time. After that, it can come back only if it joins again. What it has sent can be read in the swarm for up to 24 hours more.',
    sees_public:
      'If you have no other device in the swarm, and do not manage or watch it, you no longer see its members and their positions. The swarm is public: you still see its name, owner, description and number of members, and when it was created and last active.',
    sees_private:
      'If you have no other device in the swarm, and do not manage or watch it, you no longer see the swarm, its members and their positions.',
    leaving: 'Leaving…',
  },
  adding: 'Adding…',
  removing_short: 'Removing…',
  extending: 'Extending…',
  narrowing: 'Changing role…',
  role_of: (name: string) => `Role in ${name}`,
  adding_title: 'Your devices are being added',
  adding_text: 'They appear here as they are added.',
  empty_title: 'No members yet',
  empty_text: (relation: string) =>
    relation === 'owner'
      ? 'Add your own devices, or invite others using their invite codes.'
      : relation === 'manager'
        ? 'Invite devices using their invite codes.'
        : 'Devices appear here when they join.',
  no_match_title: 'No results',
  no_match_text: 'No members match your search and filters.',
  clear: 'Clear search and filters',
  error_title: 'The members could not be loaded',
} as const;

export const addMembers = {
  title: 'Add your devices',
  text: 'Your own devices join immediately, without an invitation.',
  consent: (members: number) =>
    `*The managers, watchers and members* of the swarm see the name, type, description and position of each device that joins, and when it was last online. If you record its track, they see the track since it joined.\n*The managers, watchers and users whose devices receive* can read what it sends there, including the 24 hours before they joined. If you record its values, they see the values.\nIf a device is silent, *the managers and watchers* can be notified.\nThe swarm has ${deviceCount(members)} now.`,
  role: 'Role',
  search: 'Search your devices',
  search_hint: 'Name, description or ID',
  devices: 'Your devices',
  all: (count: string) => `Select all ${count} devices`,
  all_matching: (count: string) => `Select all ${count} matching devices`,
  already: { producer: 'already sends', consumer: 'already receives', both: 'already does both' },
  /** A device that gets a second role. */
  will_do_both: { producer: 'sends: will also receive', consumer: 'receives: will also send' },
  asked: 'already asked',
  submit: (count: number) => (count === 0 ? 'Add devices' : `Add ${deviceCount(count)}`),
  selected: (text: string) => `${text} selected`,
  none: 'No devices match your search.',
  none_at_all: 'You don’t have any devices yet. Add one under Devices.',
} as const;
