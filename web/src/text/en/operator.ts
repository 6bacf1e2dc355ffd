import { plural } from './plural.ts';

/** The page of all users, for operators. */
export const operator = {
  title: 'Users',
  open: 'All users',
  text: 'You are an operator of this server. You see all users and how much they have, but not their devices and swarms.',
  forbidden: 'Only operators see this page',
  forbidden_text: 'Ask the operator of this server for the role.',
  failed: 'The users could not be loaded',
  search: 'Search by user name',
  none: 'No users match',
  show: 'Show',
  show_of: (name: string) => `Show ${name}`,
  line: '{devices} · created {created} · active {active}',
  line_inactive: '{devices} · created {created} · not active yet',
  disabled: 'Disabled',
  role: 'Operator',
  yes: 'Yes',
  created: 'Created',
  active: 'Last active',
  stats_title: 'This server',
  stats: {
    users: 'Users',
    disabled: 'Disabled',
    signed_in: 'Signed in',
    sessions: 'Sessions',
    keys: 'API keys',
    resources: 'Devices',
    swarms: 'Swarms',
    invitations: 'Open invitations',
  },
  quotas: {
    resources: 'Devices',
    swarms: 'Swarms',
    members: 'Devices in the largest swarm',
    invitations: 'Open invitations sent',
    keys: 'API keys',
    device_keys: 'API keys of devices',
    tracks: 'Devices with a track',
    saved_views: 'Saved views',
    streams: 'Live connections',
  },
  actions: { disable: 'Disable', enable: 'Enable', 'sign-out': 'End all sessions' },
  link: {
    open: 'Link for a new password',
    title: (name: string) => `Link for ${name}`,
    confirm_text:
      'With the link, the user can choose a new password. If this server has no passwords, the link signs the user in instead. The user sees under Activity that the link was created.',
    submit: 'Create the link',
    is_sent: 'The link may still be created, but it is not shown then. Create another one to see it.',
    label: 'Link',
    text: 'Copy it now: it is shown only once. Send it to the user in a way that nobody else reads. It works once, until {until}.',
    is_stored: 'I have copied the link',
    done: 'Done',
    closing_asks: 'If you close this without selecting the checkbox, you’ll be asked to confirm.',
    lost_title: 'Link not copied yet?',
    lost_text: 'After you close this, the link can’t be shown again. You can create another one.',
    lost_close: 'Close without the link',
    lost_back: 'Back to the link',
  },
  ask: {
    disable: {
      title: (name: string) => `Disable ${name}?`,
      text: 'The user can’t sign in until you enable the user again. Within a second, all access ends:',
      sessions: (count: number) =>
        plural(count, {
          one: '# session ends, with its push notifications',
          other: '# sessions end, with their push notifications',
        }),
      keys: (count: number) =>
        plural(count, {
          one: '# API key does not work until then',
          other: '# API keys, also those of devices, do not work until then',
        }),
      devices: (count: number) =>
        plural(count, {
          one: '# device can’t send or receive until then',
          other: '# devices can’t send or receive until then',
        }),
      swarms: 'swarms of the user do not appear in Discover until then',
      links: 'links of the user that show devices do not open until then',
      notices: 'webhooks and emails stop until then',
      actions: 'actions that run are paused; an import that is still being uploaded is deleted',
      stays:
        'Devices, swarms, memberships, roles, invitations and links to join stay. Other users still see the devices that they see now.',
    },
    'sign-out': {
      title: (name: string) => `End all sessions of ${name}?`,
      text: 'The user can sign in again. API keys keep working.',
    },
  },
  done: {
    disable: (name: string) => `${name} disabled`,
    enable: (name: string) => `${name} enabled`,
    'sign-out': (name: string) => `All sessions of ${name} ended`,
  },
} as const;
