import { capital, plural, spelled } from './plurals.ts';

export const shell = {
  places: { devices: 'Devices', swarms: 'Swarms', invitations: 'Invitations', account: 'Account' },
  navigation: 'Main',
  skip: 'Skip to content',
  loading: 'Loading',
  age: {
    seconds: (count: string) => `${count} s`,
    minutes: (count: string) => `${count} min`,
    hours: (count: string) => `${count} h`,
    days: (count: string) => `${count} d`,
    now: 'now',
    ago: (age: string) => `${age} ago`,
  },
  theme: {
    label: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
  },
  user: {
    swarms: (count: number, text: string) => `${text} ${plural(count, { one: 'swarm', other: 'swarms' })} owned`,
    devices: (count: number, text: string) => `${text} ${plural(count, { one: 'device', other: 'devices' })}`,
    fresh: 'new account',
  },
  roles: { producer: 'producer', consumer: 'consumer', both: 'both' },
  machine_types: { pc: 'PC', bug: 'Bug', smartphone: 'Smartphone' },
  kit: {
    close: 'Close',
    dismiss: 'Dismiss',
    show_password: 'Show password',
    hide_password: 'Hide password',
    optional: 'optional',
    changed: 'changed',
    copy: 'Copy',
    copied: 'Copied',
    jump: 'Jump to …',
    clear_search: 'Clear search',
  },
  help: 'Keyboard shortcuts',
  notices: 'Notices',
  not_live: 'Not live',
  away: {
    title: 'Can’t reach the server',
    offline: 'You’re offline',
    seen: (clock: string) => `As of ${clock}.`,
    next: (seconds: string) => `Retrying in ${seconds} s.`,
    trying: 'Retrying now.',
    retry: 'Retry',
    unsent: 'Not saved yet. It is saved as soon as the server can be reached.',
    start: 'It may be starting. This page retries by itself.',
  },
  crash: {
    title: 'This page can’t be shown',
    text: 'Something went wrong. Reload the page to try again.',
    not_loaded: 'This page could not be loaded',
    not_loaded_text: 'It opens as soon as the server can be reached.',
    retry: 'Retry',
  },
  /** By the code of the problem. What is not here says what the server said. */
  problems: {
    'http.413': 'That is too large to be sent.',
    'http.429': 'Too many requests. Wait a little and try again.',
    'invitation.too_many': 'You have sent as many open invitations as allowed. Withdraw some first.',
    'membership.too_many': 'This swarm has as many devices as allowed.',
    'origin.refused': 'The server takes changes from its own pages only. Open it at the address it was set up for.',
    'rate.exceeded': 'Too many requests. Wait a little and try again.',
    'resource.too_many': 'Your account has as many devices as allowed. Delete some first.',
    'saved_view.too_many': 'You have as many saved views as allowed. Delete some first.',
    'server.failed': 'Something went wrong on the server. Nothing was changed.',
    'service.unreachable': 'The server can’t be reached. Nothing was sent. Try again.',
    'session.missing': 'You are not signed in any more.',
    'storage.away': 'The service cannot store this right now. Try again.',
    'storage.full': 'The server’s disk is full: nothing was stored.',
    'swarm.too_many': 'Your account has as many swarms as allowed. Delete some first.',
  } as Record<string, string>,
  unexpected: 'Something went wrong. Nothing was changed.',
};

/** What stands between somebody and the way out while something is not saved. */
export const leaving = {
  title: 'Leave without saving?',
  text: (count: number) =>
    `${capital(spelled(count, String(count)))} ${plural(count, { one: 'field is', other: 'fields are' })} not saved.`,
  stay: 'Stay here',
  leave: 'Leave and lose it',
};

export const notFound = {
  title: 'There is no such page',
  text: 'The address may be mistyped, or the page is gone.',
  home: 'To your devices',
};
