import { deviceCount, plural } from './plural.ts';

/** Texts of the links that show a device to people without an account, and of the page that they see. */
export const shareLinks = {
  title: 'Links that show this device',
  none: 'No open links. With a link, people without an account see where this device is, until the link ends.',
  create: 'Create link',
  create_title: 'Create a link that shows this device',
  create_text:
    'People with the link see the name {device}, where it is, and your user name, until the link ends. They see no messages.',
  name: 'Name of the link',
  name_hint: 'Only you see it.',
  name_placeholder: 'For the pick-up',
  end_wrong: 'Choose a time between 1 hour and 30 days from now.',
  with_track: 'Also show where it has been since the link was created',
  no_track: 'The link shows no track, because the track of this device is not recorded.',
  created_title: 'Link {name}',
  created_text: 'Copy it now: it is shown only once. Anyone with the link can use it until it ends.',
  lost_title: 'Close without the link?',
  lost_text:
    'You have not copied the link, and it can’t be shown again. Only people who have scanned the code can open it.',
  lost_close: 'Close',
  lost_back: 'Back to the link',
  copy: 'Copy link',
  shows_position: 'Position',
  shows_track: 'Position, and track since the link was created',
  viewers: (count: number) =>
    plural(count, { one: 'open now in at least # window', other: 'open now in at least # windows' }),
  /** In the box of who sees the device. */
  shown_by: (count: number) =>
    plural(count, {
      one: 'Anyone with the link sees it, until {date}.',
      other: 'Anyone with one of # links sees it, until {date}.',
    }),
  looking: (count: number) =>
    plural(count, { one: 'Open now in at least # window.', other: 'Open now in at least # windows.' }),
  show_links: 'Show links',
  shorten: 'End sooner',
  shorten_of: (name: string) => `End sooner: ${name}`,
  shorten_title: 'End {name} sooner',
  shorten_text: 'The link works until {date} now.',
  shorten_wrong: 'Choose a time at least 1 hour from now, before the current end. Or end the link now.',
  end: 'End now',
  end_of: (name: string) => `End now: ${name}`,
  end_title: 'End {name}?',
  end_text: 'The link stops at once, also for people who have it open. It can’t be used again.',
  /** The owner of a device lets links of a swarm show it. */
  consent: {
    allow: 'Links of this swarm may show my devices.',
    hint: 'The owner of the swarm can make links. Anyone with such a link sees name and position, without an account. You can change this at any time.',
    menu: 'Allow links…',
    menu_stop: 'Stop allowing links…',
    title: 'Allow links of {swarm} to show {device}?',
    text: 'The owner of {swarm} can make links. Anyone with such a link sees the name and the position of {device}, without an account. You can change this at any time.',
    confirm: 'Allow links',
    stop_title: 'Stop allowing links of {swarm} to show {device}?',
    stop_text: 'The device disappears at once from all pages of these links. Users who see the swarm still see it.',
    stop: 'Stop allowing',
    shown: 'Links of this swarm may show the device.',
    not_shown: 'Links of this swarm may not show the device.',
    open: (count: number) =>
      plural(count, {
        one: 'Now there is # link. Anyone who has it sees the device.',
        other: 'Now there are # links. Anyone who has one sees the device.',
      }),
    none_open: 'There is no link now.',
    of_swarm: (count: number) =>
      plural(count, {
        one: '# link shows the devices whose owners allow it. Anyone who has it sees them.',
        other: '# links show the devices whose owners allow it. Anyone who has one sees them.',
      }),
  },
  /** Of the links that show members of a swarm. */
  swarm: {
    title: 'Links that show these devices',
    none: 'No open links. With a link, people without an account see the devices whose owners allow it.',
    create_title: 'Create a link that shows this swarm',
    create_text:
      'Until the link ends, people with it see your user name, and names and positions of the devices whose owners allow it. They do not see the swarm or messages. The owners of these devices get a notice.',
    name_placeholder: 'For the web page of the race',
    shows: (count: number) => (count === 0 ? 'No device: no owner allows it yet' : deviceCount(count)),
  },
  guest: {
    title: 'Shared device',
    title_of_many: 'Shared devices',
    devices: (count: number) => (count === 0 ? 'No device is shown now.' : `${deviceCount(count)}.`),
    choose: 'Select a device on the map or in the list.',
    device: 'Device',
    all_devices: 'All devices',
    shared_by: 'Shared by {user}, until {date}',
    located: 'Here {age}',
    open_map: 'Open in a map app',
    no_position: 'No position yet.',
    connecting: 'Connecting…',
    live: 'Live',
    connected: 'Connected. A new position appears here.',
    old: 'Connected. No new position for a while.',
    lost: 'Not live. Trying again…',
    offline: 'Not live: no network.',
    busy: 'Too many people are looking right now. Trying again…',
    ended: 'This link has ended',
    ended_text: 'It has ended, or the link is not complete. Ask the person who sent it for another one.',
    ended_by: '{user} has ended it.',
    expired_text: 'It ended {date}.',
  },
};
