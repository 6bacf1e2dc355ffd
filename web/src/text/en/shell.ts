import { deviceCount, swarmCount } from './plural.ts';

/** Texts of the shell, of `ui` and of server errors. */
export const shell = {
  destinations: { devices: 'Devices', swarms: 'Swarms', invitations: 'Invitations', account: 'Account' },
  navigation: 'Main',
  /** After a number, for screen readers. */
  unanswered: 'unanswered',
  new_activity: 'new in Activity',
  skip: 'Skip to content',
  theme: {
    label: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
  },
  user: {
    swarms: swarmCount,
    devices: deviceCount,
  },
  roles: { producer: 'sends', consumer: 'receives', both: 'both' },
  machine_types: { pc: 'PC', bug: 'Bug', smartphone: 'Smartphone' },
  /** The states of a device. */
  presence: {
    online: 'online',
    offline: 'heard {age}',
    silent: 'silent since {age}',
    never: 'never heard',
  },
  connected: 'connected',
  presence_names: { online: 'Online', offline: 'Offline', silent: 'Silent', never: 'Never heard' },
  kit: {
    close: 'Close',
    dismiss: 'Dismiss',
    undo: 'Undo',
    not_copied: 'Your browser blocked copying',
    optional: 'optional',
    changed: 'changed',
    copy: 'Copy',
    copied: 'Copied',
    share: 'Share',
    jump: 'Jump to…',
    clear_search: 'Clear search',
    cancel: 'Cancel',
    discard_title: 'Discard what you typed?',
    discard: 'Discard',
    keep_editing: 'Keep editing',
    retry: 'Retry',
    part_not_loaded: 'A part of this page could not be loaded',
    reload_page: 'Reload the page to try again.',
    reload: 'Reload',
  },
  help: 'Keyboard shortcuts',
  notices: 'Notifications',
  not_live: 'Not live',
  unreachable: {
    title: 'Can’t reach the server',
    needs_connection: 'You’re offline. This works again when you are connected.',
    offline: 'You’re offline',
    /** `age`: such as `3 hr ago`. */
    age: (age: string) => `As of ${age}.`,
    recent: 'As of a moment ago.',
    seen: (clock: string) => `As of ${clock}.`,
    next: (seconds: string) => `Retrying in ${seconds} s.`,
    trying: 'Retrying now.',
    slow: 'The server answers slowly',
    part: 'It loads when the server can be reached.',
    start: 'It may be starting. This page retries automatically.',
  },
  crash: {
    title: 'This page can’t be shown',
    text: 'Something went wrong. Reload the page to try again.',
    not_loaded: 'This page could not be loaded',
    not_loaded_text: 'It opens when the server can be reached.',
  },
  /** By problem code. A code without a text shows the server's `detail`. */
  problems: {
    'http.429': 'Too many requests. Wait a moment and try again.',
    'query.invalid': 'The address of this page is not valid.',
    'rate.exceeded': 'Too many requests. Wait a moment and try again.',
    'route.not_found': 'This address was not found on the server. Reload the page.',
    'server.failed': 'Something went wrong on the server. Nothing was changed.',
    'service.away': 'The server is temporarily unavailable. Try again.',
    'service.unreachable': 'Can’t reach the server. Try again.',
    'session.missing': 'You are signed out.',
    'storage.away': 'The server can’t save this right now. Try again.',
  },
  /** A dialog was closed while it sent something. */
  sending: {
    is_sent: 'This is still being sent. If it fails, a notice says so.',
    failed: 'A change that was still being sent has failed',
  },
  unexpected: 'Something went wrong. Try again.',
} as const;
