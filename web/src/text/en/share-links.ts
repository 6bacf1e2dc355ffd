import { deviceCount, plural } from './plural.ts';

/** Texts of the links that show a device to people without an account, and of the page that they see. */
export const shareLinks = {
  title: 'Links that show this device',
  none: 'No open links. With a link, people without an account see where this device is, until the link ends.',
  create: 'Create link',
  create_title: 'Create a link that shows this device',
  create_text:
    'Until the link ends, people with the link see the name and position of {device}, and your user name. They see no messages.',
  name: 'Name of the link',
  name_hint: 'Only you see it.',
  name_placeholder: 'For my visitors',
  end_wrong: 'Choose a time between 1 hour and 30 days from now.',
  with_track: 'Also show the track of the device since the link was created',
  no_track: 'The link shows no track, because the track of this device is not recorded.',
  is_sent: 'The link may still be created. End it in the list if you don’t use it.',
  created_title: 'Link {name}',
  created_text: 'Copy the link now: you see it only once. Anyone with the link can use it until it ends.',
  lost_title: 'Close without copying the link?',
  lost_text:
    'You have not copied the link. It can’t be shown again. Only people who have scanned its QR code can open it.',
  lost_close: 'Close',
  lost_back: 'Back to the link',
  copy: 'Copy link',
  shows_position: 'Position',
  shows_track: 'Position, and track since the link was created',
  created: 'Created {date}',
  opened: 'Last opened {age}',
  not_opened: 'Not opened yet',
  viewers: (count: number) =>
    plural(count, { one: 'open now in at least # browser window', other: 'open now in at least # browser windows' }),
  /** In the box of who sees the device. */
  shown_by: (count: number) =>
    plural(count, {
      one: '# link shows this device until {date}. Anyone with the link sees the device.',
      other: '# links show this device, the longest until {date}. Anyone with one of these links sees the device.',
    }),
  looking: (count: number) =>
    plural(count, {
      one: 'The device is shown now in at least # browser window.',
      other: 'The device is shown now in at least # browser windows.',
    }),
  show_links: 'Show links',
  change_title: 'Change the end of {name}',
  end: 'End now',
  end_of: (name: string) => `End now: ${name}`,
  end_title: 'End {name}?',
  end_text: 'The link stops at once, also for people who have it open. It can’t be used again.',
  /** The owner of a device lets links of a swarm show it. */
  consent: {
    allow: 'Allow links of this swarm to show the device',
    hint: 'The owner of the swarm, also a later one, can create links. Anyone with such a link sees the name and position of the device, even without an account. You can change this at any time.',
    allow_many: 'Allow links of this swarm to show these devices',
    hint_many:
      'The owner of the swarm, also a later one, can create links. Anyone with such a link sees the names and positions of these devices, even without an account. You can change this at any time.',
    menu: 'Allow links to show the device…',
    menu_stop: 'Stop links from showing the device…',
    title: 'Allow links of {swarm} to show {device}?',
    text: 'The owner of {swarm}, also a later one, can create links. Anyone with such a link sees the name and position of {device}, even without an account. You can change this at any time.',
    confirm: 'Allow links',
    stop_title: 'Stop links of {swarm} from showing {device}?',
    stop_text:
      'The device disappears at once from all pages of these links. Users who see the swarm still see the device.',
    stop: 'Stop showing',
    shown: 'You allow links of this swarm to show the device.',
    not_shown: 'You do not allow links of this swarm to show the device.',
    open: (count: number) =>
      plural(count, {
        one: 'Now there is # link. Anyone with this link sees the device.',
        other: 'Now there are # links. Anyone with such a link sees the device.',
      }),
    none_open: 'There is no link now.',
    open_now: (count: number) =>
      plural(count, {
        one: '# link that shows devices is open now. Anyone with this link sees the device at once.',
        other: '# links that show devices are open now. Anyone with such a link sees the device at once.',
      }),
    counting: 'Counting the open links…',
    count_failed: 'How many links are open could not be loaded.',
    of_swarm: (count: number) =>
      plural(count, {
        one: '# link shows devices whose owners allow this. Anyone with this link sees these devices.',
        other: '# links show devices whose owners allow this. Anyone with such a link sees these devices.',
      }),
  },
  /** The texts of the links that show members of a swarm. */
  swarm: {
    title: 'Links that show these devices',
    none: 'No open links. A link shows devices to people without an account, if the owners of the devices allow this.',
    create_title: 'Create a link that shows these devices',
    create_text:
      'Until the link ends, people with the link see your user name, and the name and position of each device whose owner allows this. If this is the only link of the swarm that shows devices, these owners get a notification. The link does not show the swarm or messages.',
    name_placeholder: 'For the web page of the race',
    shows_now: (count: number) =>
      count === 0
        ? 'No owner allows this yet, so the link shows no device now.'
        : plural(count, { one: 'The link shows # device now.', other: 'The link shows # devices now.' }),
    shows: (count: number) => (count === 0 ? 'No device yet: a device owner must allow it' : deviceCount(count)),
  },
  guest: {
    title: 'Shared device',
    title_of_many: 'Shared devices',
    devices: (count: number) => (count === 0 ? 'No device is shown now.' : `${deviceCount(count)}.`),
    choose: 'Select a device on the map or in the list.',
    device: 'Device',
    all_devices: 'All devices',
    shared_by: 'Shared by {user}, until {date}',
    located: 'Last position: {age}',
    open_map: 'Open in a map app',
    no_position: 'No position yet.',
    connecting: 'Connecting…',
    live: 'Live',
    connected: 'A new position will appear here by itself.',
    old: 'The last position is more than 5 minutes old. A new one will appear here by itself.',
    lost: 'Not live. Trying again…',
    offline: 'Not live: no network.',
    busy: 'Too many people are looking right now. Trying again…',
    ended: 'This link can’t be used',
    ended_text: 'It has ended or is not complete. Ask the person who sent it for a new one.',
    ended_by: 'The link of {user} has ended.',
    expired_text: 'The link of {user} ended on {date}.',
  },
};
