import { deviceCount, invitationCount, plural, swarmCount } from './plural.ts';

/** Texts of each action on devices. `count` is a number of devices. */
const actions = {
  delete: {
    title: (count: number) => `Delete ${deviceCount(count)}?`,
    text: 'Deleted devices are also removed from every swarm. You can undo this later in Activity: the devices come back with their roles in your own swarms, without their keys, links, messages, tracks and recorded values. Other swarms must invite them again.',
    others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
    confirm: (count: number) => `Delete ${deviceCount(count)}`,
  },
  set_type: {
    title: (count: number) => `Set the machine type of ${deviceCount(count)}`,
    text: 'The other fields stay as they are. You can undo this later in Activity.',
    others: (count: number) => plural(count, { one: '# already has this type.', other: '# already have this type.' }),
    confirm: (count: number) => `Change ${deviceCount(count)}`,
  },
  set_description: {
    title: (count: number) => `Set the description of ${deviceCount(count)}`,
    text: 'It replaces the description of each device. Leave it empty to remove the descriptions. You can undo this later in Activity.',
    others: (count: number) =>
      plural(count, { one: '# already has this description.', other: '# already have this description.' }),
    confirm: (count: number) => `Change ${deviceCount(count)}`,
  },
  set_expected: {
    title: (count: number) => `Set the expected interval of ${deviceCount(count)}`,
    text: 'The other fields stay as they are. You can undo this later in Activity.',
    others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
    confirm: (count: number) => `Change ${deviceCount(count)}`,
  },
  add_to_swarm: {
    title: (count: number) => `Add ${deviceCount(count)} to a swarm`,
    text: 'The managers, watchers and members of the swarm see the name, type, description and position of each device that you add, and when it was last online. If you record its track, they see the track since it joined. The managers, watchers and users whose devices receive can read what it sends there, including the 24 hours before they joined. If you record its values, they see the values. If a device is silent, the managers and watchers can be notified.',
    others: (count: number) =>
      plural(count, {
        one: '# is already in it and keeps its role.',
        other: '# are already in it and keep their role.',
      }),
    confirm: (count: number) => `Add ${deviceCount(count)}`,
  },
  leave_swarm: {
    title: (count: number) => `Remove ${deviceCount(count)} from a swarm`,
    text: 'Removed devices stay in your account and in other swarms. What they have sent can be read in this swarm for up to 24 hours more.',
    others: (count: number) => plural(count, { one: '# is not in it.', other: '# are not in it.' }),
    confirm: (count: number) => `Remove ${deviceCount(count)}`,
  },
  export: {
    title: (count: number) => `Export ${deviceCount(count)}`,
    text: 'Each row has the ID of its device. Importing the same file changes nothing.',
    others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
    confirm: (count: number) => `Export ${deviceCount(count)}`,
    done: (count: number) => `${deviceCount(count)} exported`,
  },
  copy_codes: {
    title: (count: number) => plural(count, { one: 'Copy # invite code', other: 'Copy # invite codes' }),
    text: 'One link for each device, one per line. Paste them in Invite, or send them to a swarm’s owner.',
    others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
    confirm: (count: number) => plural(count, { one: 'Copy # code', other: 'Copy # codes' }),
    done: (count: number) => plural(count, { one: '# invite code copied', other: '# invite codes copied' }),
  },
  print_codes: {
    title: (count: number) => plural(count, { one: 'Print # QR code', other: 'Print # QR codes' }),
    text: 'Each device gets a label with its name and its invite code, to be scanned by a swarm’s owner.',
    others: (count: number) =>
      plural(count, {
        one: '# will be skipped: print it separately.',
        other: '# will be skipped: print them separately.',
      }),
    confirm: (count: number) => plural(count, { one: 'Print # code', other: 'Print # codes' }),
  },
  create_keys: {
    title: (count: number) => `Create keys for ${deviceCount(count)}`,
    text: 'Each device gets one more key of its own. With it, a program can only send and receive the device’s messages, and read and update its record. You get the keys as a CSV file.',
    others: (count: number) =>
      plural(count, {
        one: '# will be skipped: create its key separately.',
        other: '# will be skipped: create their keys separately.',
      }),
    confirm: (count: number) => plural(count, { one: 'Create # key', other: 'Create # keys' }),
  },
};

/** Texts of each action on the members of a swarm. */
const memberActions = {
  change_role: {
    title: (count: number) => `Change the role of ${deviceCount(count)}`,
    text: 'For another user’s device, you can only keep one of its current roles. The other one needs a new invitation to come back.',
    others: (count: number) =>
      plural(count, {
        one: '# will be skipped: it already has this role, or it needs an invitation for this role.',
        other: '# will be skipped: they already have this role, or they need an invitation for this role.',
      }),
    confirm: (count: number) => `Change ${deviceCount(count)}`,
  },
  offer_end: {
    title: (count: number) => `Offer a later end for ${deviceCount(count)}`,
    text: 'Their owners get an invitation. Nothing changes until they accept it.',
    others: (count: number) =>
      plural(count, {
        one: '# will be skipped: it does not end before that, or it is the swarm owner’s.',
        other: '# will be skipped: they do not end before that, or they are the swarm owner’s.',
      }),
    confirm: (count: number) => plural(count, { one: 'Send # offer', other: 'Send # offers' }),
  },
  remove: {
    title: (count: number) => `Remove ${deviceCount(count)} from the swarm?`,
    text: 'Owners keep their devices and can see that the devices were removed. You can undo this for a short time.',
    others: (count: number) =>
      plural(count, {
        one: '# will be skipped: it belongs to another user.',
        other: '# will be skipped: they belong to other users.',
      }),
    confirm: (count: number) => `Remove ${deviceCount(count)}`,
  },
  export: {
    ...actions.export,
    text: 'The file includes owners and roles.',
  },
};

/** Texts of the kinds of actions: of one item and of many, while they run and when they are done; and what failed. */
const kinds = {
  update: {
    one: 'Changing {name}',
    one_done: '{name} changed',
    many: (count: number) => `Changing ${deviceCount(count)}`,
    many_done: (count: number) => `${deviceCount(count)} changed`,
    failed: (count: number) => plural(count, { one: '# device was not changed', other: '# devices were not changed' }),
  },
  delete: {
    one: 'Deleting {name}',
    one_done: '{name} deleted',
    many: (count: number) => `Deleting ${deviceCount(count)}`,
    many_done: (count: number) => `${deviceCount(count)} deleted`,
    failed: (count: number) => plural(count, { one: '# device was not deleted', other: '# devices were not deleted' }),
  },
  add_member: {
    one: 'Adding {name} to {swarm}',
    one_done: '{name} added to {swarm}',
    many: (count: number) => `Adding ${deviceCount(count)} to {swarm}`,
    many_done: (count: number) => `${deviceCount(count)} added to {swarm}`,
    failed: (count: number) => plural(count, { one: '# device was not added', other: '# devices were not added' }),
  },
  change_role: {
    one: 'Changing the role of {name}',
    one_done: 'Role of {name} changed',
    many: (count: number) => `Changing the role of ${deviceCount(count)}`,
    many_done: (count: number) => `Role of ${deviceCount(count)} changed`,
    failed: (count: number) => plural(count, { one: '# role was not changed', other: '# roles were not changed' }),
  },
  remove_member: {
    one: 'Removing {name} from {swarm}',
    one_done: '{name} removed from {swarm}',
    many: (count: number) => `Removing ${deviceCount(count)} from {swarm}`,
    many_done: (count: number) => `${deviceCount(count)} removed from {swarm}`,
    failed: (count: number) => plural(count, { one: '# device was not removed', other: '# devices were not removed' }),
  },
  extend_member: {
    one: 'Extending the membership of {name}',
    one_done: 'Membership of {name} extended',
    many: (count: number) => `Extending the memberships of ${deviceCount(count)}`,
    many_done: (count: number) => `Memberships of ${deviceCount(count)} extended`,
    failed: (count: number) =>
      plural(count, { one: '# membership was not extended', other: '# memberships were not extended' }),
  },
  offer_end: {
    one: 'Offering a later end for {name}',
    one_done: 'Later end offered for {name}',
    many: (count: number) => `Offering a later end for ${deviceCount(count)}`,
    many_done: (count: number) => `Later end offered for ${deviceCount(count)}`,
    failed: (count: number) => plural(count, { one: '# offer was not sent', other: '# offers were not sent' }),
  },
  delete_swarm: {
    one: 'Deleting {name}',
    one_done: '{name} deleted',
    many: (count: number) => plural(count, { one: 'Deleting # swarm', other: 'Deleting # swarms' }),
    many_done: (count: number) => plural(count, { one: '# swarm deleted', other: '# swarms deleted' }),
    failed: (count: number) =>
      plural(count, { one: 'The swarm could not be deleted', other: '# swarms could not be deleted' }),
  },
  delete_view: {
    one: 'Deleting view {name}',
    one_done: 'View {name} deleted',
    many: (count: number) => plural(count, { one: 'Deleting # view', other: 'Deleting # views' }),
    many_done: (count: number) => plural(count, { one: '# view deleted', other: '# views deleted' }),
    failed: (count: number) =>
      plural(count, { one: 'The view could not be deleted', other: '# views could not be deleted' }),
  },
};

/** Texts of bulk actions. */
export const bulk = {
  selection: {
    region: 'Selection',
    count: (count: string) => `${count} selected`,
    hidden: (count: string) => `${count} not in this list`,
    all: (total: string) => `Select all ${total}`,
    all_short: (total: string) => `All ${total}`,
    clear: 'Clear selection',
  },
  actions,
  member_actions: memberActions,
  kinds,
  offer_end_problems: { 'membership.exists': 'It does not end before that.' },
  /** Of an action that can be undone. */
  pending: {
    sending: 'Sending…',
    region: 'Pending actions',
    undo_within: (seconds: string) => `You have ${seconds} seconds to undo it.`,
    undo_within_keys: (seconds: string) => `You have ${seconds} seconds to undo it: press Z.`,
    undone: 'Undone: {what}',
  },
  too_late: 'Too late to undo',
  too_late_text: '{action} has already started.',
  undo_not_sent: 'Undo could not be sent',
  undo_not_sent_text:
    'The server could not be reached. If it does not get your undo in time, it does what you have started.',
  undo_unknown: 'The server did not answer your undo',
  undo_unknown_text:
    'If it did not get it in time, it does what you have started. The page shows it once the server can be reached.',
  undo_unknown_ended: 'Once the server can be reached, Activity shows whether it was undone.',
  not_changed: 'The action could not be changed',
  count_changed: (count: number) =>
    plural(count, { one: 'The selection now has # item.', other: 'The selection now has # items.' }),
  continue: 'Continue',
  dismiss: 'Dismiss',
  dismiss_failed: 'Dismiss. It stays in Activity.',
  uploading: (ended: string, total: string) => `${ended} of ${total} uploaded. Keep this tab open.`,
  menu: 'Actions',
  reading: (read: string, total: string) => `Loading ${read} of ${total}…`,
  not_read: 'The selection could not be loaded',
  missing: (count: number) => plural(count, { one: '# no longer exists.', other: '# no longer exist.' }),
  none: 'There is nothing to do for this selection.',
  progress: (ended: string, total: string) => `${ended} of ${total}`,
  paused: (ended: string, total: string) => `Paused · ${ended} of ${total}`,
  restored: 'The server was restored from a backup. If you had stopped this, stop it again.',
  unreachable: (ended: string, total: string) => `Waiting for the server · ${ended} of ${total}`,
  waiting: 'Waiting for the server…',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  stopped: (count: number) =>
    plural(count, { one: 'Stopped. # was not processed.', other: 'Stopped. # were not processed.' }),
  failed: (count: number) => plural(count, { one: '# failed', other: '# failed' }),
  show_failed: 'Show',
  more: (count: string) => `and ${count} more`,
  leaves: (count: number) => plural(count, { one: '# device is in a swarm:', other: '# devices are in swarms:' }),
  no_swarm: 'Not in any swarm.',
  device_line: (count: number) => `{name} · ${deviceCount(count)}` as const,
  invitation_line: (count: number) => `{name} · ${invitationCount(count)}` as const,
  owners: 'By owner:',
  recipients: 'By recipient:',
  invitations: (count: number, isMore: boolean) =>
    `${isMore ? 'At least ' : ''}${plural(count, { one: '# open invitation', other: '# open invitations' })} will be rejected.`,
  invitations_rejected: 'Their open invitations will be rejected.',
  no_invitations: 'No open invitations.',
  looking: 'Looking for open invitations…',
  invitations_unknown: 'Open invitations could not be loaded. Any that exist will be rejected.',
  type: 'Machine type',
  device_keys: {
    ready: (count: number) => plural(count, { one: '# key is ready', other: '# keys are ready' }),
    ready_text:
      'Download the file now: the keys are not shown again. Anyone who has a key can act as its device until you revoke it.',
    download: 'Download CSV file',
    file_name: 'device-keys.csv',
    failed: (count: number) => plural(count, { one: '# device got no key', other: '# devices got no key' }),
    too_many: 'It already has 10 keys. Revoke some on its page.',
    is_stored: 'I have stored the file in a safe place',
    lost_title: 'File not stored yet?',
    lost_text: 'After you close this, the keys can’t be shown again.',
    lost_close: 'Close without the keys',
    lost_back: 'Back to the file',
  },
  type_count: (count: string) => `Type ${count} to confirm`,
  description: 'Description',
  described: (count: number) =>
    plural(count, {
      one: 'Replaces the description of # device.',
      other: 'Replaces the description of # devices.',
    }),
  undescribed: (count: number) =>
    plural(count, {
      one: 'Removes the description of # device.',
      other: 'Removes the descriptions of # devices.',
    }),
  remove_descriptions: (count: number) =>
    plural(count, { one: 'Remove the description of # device', other: 'Remove the descriptions of # devices' }),
  swarm: 'Swarm',
  choose_swarm: 'Choose a swarm',
  no_device_found: 'No device matches.',
  no_swarm_found: 'No swarm matches.',
  first_found: (shown: string, total: string) => `The first ${shown} of ${total}. Search for the others.`,
  swarms_found: swarmCount,
  no_own_swarm: 'You don’t own a swarm yet.',
  no_joined_swarm: 'None of the selected devices is in a swarm.',
  role: 'Role',
  swarm_devices: (count: number) => deviceCount(count),
  format: 'Format',
  formats: { csv: 'CSV', geojson: 'GeoJSON' },
  format_text: {
    csv: 'For spreadsheets. Texts that look like a formula get an apostrophe, which the import removes again.',
    geojson: 'For mapping software.',
  },
  sheet: 'Sheet of labels',
  sheets: { a4: 'A4', letter: 'US Letter' },
  sheet_sizes: {
    a4: '24 labels of 70 × 37 mm on each A4 sheet. Print at 100 %, without margins.',
    letter: '10 labels of 101.6 × 50.8 mm on each US Letter sheet. Print at 100 %, with the margins of the document.',
  },
  local_codes:
    'The codes open {address}, which works only on this computer. Open Swarmdeck at its public address and print there.',
  pages: (count: number) => plural(count, { one: '# sheet.', other: '# sheets.' }),
  file_name: 'devices',
  members_file: 'members',
} as const;
