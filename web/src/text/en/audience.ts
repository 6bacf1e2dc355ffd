import { deviceCount, plural, userCount } from './plural.ts';

/** Who sees a device, because of the swarms that it is in. */
export const audience = {
  title: 'Who sees this',
  title_of_swarm: 'Who sees these devices',
  text: 'Everyone on this list sees the name, type, description and position of the device, and when it was last online. If the track is recorded, they also see the track. The owner, managers, watchers and users whose devices receive can read its messages, including the 24 hours before they joined. If its values are recorded, they also see the values since they joined, for up to a year.',
  text_of_swarm:
    'Everyone on this list sees the name, type, description and position of each device, and when it was last online. If the track of a device is recorded, they also see the track. The owner, managers, watchers and users whose devices receive can read the messages, including the 24 hours before they joined. If the values of a device are recorded, they also see the values since they joined, for up to a year.',
  none: 'The device is not in a swarm, so other users do not see it. What it sent to a swarm in the last 24 hours can still be read there.',
  unchanged: 'Unchanged since {date}, except for the counts',
  /** Of one device, in a swarm with links that show devices. */
  unchanged_but_links: 'Unchanged since {date}, except for the counts and what links show',
  roles: { owner: 'Owner', manager: 'Manager', watcher: 'Watcher' },
  since: 'since {date}',
  leaves: 'The device is in this swarm until {date}.',
  you: '{name} (you)',
  deleted: 'Deleted account',
  /** `own`: of these, how many devices of the reader. */
  users: (count: number, own: number) =>
    own === 0
      ? plural(count, { one: '# user has devices in this swarm.', other: '# users have devices in this swarm.' })
      : count === 1
        ? 'You are the only user with devices in this swarm.'
        : `${userCount(count)}, including you, have devices in this swarm.`,
  receivers: (devices: number, users: number, own: number) => {
    if (devices === 0) return 'No device receives messages.';
    if (own === devices)
      return plural(devices, {
        one: '# device of yours receives messages.',
        other: '# devices of yours receive messages.',
      });
    if (users === 1)
      return plural(devices, { one: '# device receives messages.', other: '# devices of one user receive messages.' });
    return `${deviceCount(devices)} of ${userCount(users)}${own > 0 ? ', including you,' : ''} receive messages.`;
  },
  /** Counts the receivers beside one device. */
  other_receivers: (devices: number, users: number, own: number) => {
    if (devices === 0) return 'No other device receives messages.';
    if (own === devices)
      return plural(devices, {
        one: '# other device of yours receives messages.',
        other: '# other devices of yours receive messages.',
      });
    if (users === 1)
      return plural(devices, {
        one: '# other device receives messages.',
        other: '# other devices of one user receive messages.',
      });
    return `${plural(devices, { one: '# other device', other: '# other devices' })} of ${userCount(users)}${own > 0 ? ', including you,' : ''} receive messages.`;
  },
  received: {
    yes: 'On that day, at least one device could receive messages.',
    no: 'On that day, no device could receive messages.',
  },
  reach: {
    private: 'Nobody can ask to join.',
    open: 'Anyone who has the web address of this swarm can ask to join. People who only ask see no devices.',
    listed: 'Anyone can find this swarm and ask to join. People who only ask see no devices.',
  },
  open_links: (count: number) =>
    plural(count, {
      one: 'There is # open link to join. Anyone with the link can join without asking.',
      other: 'There are # open links to join. Anyone with one of these links can join without asking.',
    }),
  /** What was so when the device joined, and is now. */
  agreed: (then: number, now: number) =>
    `Other devices that receive messages: ${plural(then, { other: '#' })} when the device joined ({date}), ${plural(now, { other: '#' })} now.`,
  day: 'Show an earlier day',
  today: 'Show today',
  unknown: 'There is no information for this day.',
  past: 'Not shown for this day: links, numbers of users and devices, and swarms that the device left later.',
  past_of_swarm: 'Not shown for this day: links, and numbers of users and devices.',
  changes_from: (days: number) => `Changes are kept for ${days} days.`,
  more: 'Show more swarms',
  end: 'The device is in more swarms than this list shows. The page of each swarm shows who sees the device there.',
  card: {
    seen: 'Seen by {names}.',
    only_you: 'Other users do not see it.',
    named: (count: number) => plural(count, { one: '# more user', other: '# more users' }),
    members: (count: number) => plural(count, { other: 'everyone with a device in the same swarm (# besides you)' }),
    members_of_many: (swarms: number) => `users with devices in any of its ${swarms} swarms`,
  },
  /** What is new, in a sentence of the activity. */
  grown: {
    owner: 'new owner {names}',
    owner_links: 'The new owner can create links that show devices: of yours, only those for which you allowed it.',
    manager: (count: number) => plural(count, { one: 'new manager {names}', other: 'new managers {names}' }),
    watcher: (count: number) => plural(count, { one: 'new watcher {names}', other: 'new watchers {names}' }),
    receivers:
      'Devices of other users now receive messages in {swarm}. Their owners also see your devices and where these are.',
    links: '{swarm} has a new link to join. Anyone with it can now join without asking, and then sees your devices.',
    guests:
      '{swarm} now has a link that shows devices: of yours, only those for which you allowed it. Anyone with the link sees them, even without an account.',
    open: 'Anyone who has the web address of {swarm} can now ask to join. People who only ask see no devices.',
    listed: 'Anyone can now find {swarm} and ask to join. People who only ask see no devices.',
    see: 'Who sees this',
    leave: 'Leave…',
  },
  leave_text: (count: number) =>
    plural(count, {
      one: 'Your device leaves the swarm. You can undo this for a short time. After that, it can come back only if it joins again. What it has sent can be read in the swarm for up to 24 hours more.',
      other:
        'Your # devices leave the swarm. You can undo this for a short time. After that, they can come back only if they join again. What they have sent can be read in the swarm for up to 24 hours more.',
    }),
  leave_none: 'None of your devices is in this swarm.',
} as const;
