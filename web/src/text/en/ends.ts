/** Texts of the time at which a link, a membership or the role of a watcher ends. */
export const ends = {
  until: 'Until',
  choices: {
    none: 'No end',
    hour: '1 hour',
    evening: 'This evening, 22:00',
    day: '24 hours',
    week: '7 days',
    date: 'A date',
  },
  last_day: 'Last day',
  wrong: 'Choose a time between 1 hour and 366 days from now.',
  wrong_latest: 'Choose a time at least 1 hour from now. It can’t be after the latest possible end.',
  /** Below the field, in the forms that give or offer a consent. */
  hints: {
    invite:
      'At this time, each device leaves the swarm automatically. The owner of the device may choose an earlier time, at least 1 hour after accepting.',
    join: 'At this time, your devices leave the swarm automatically. You can change the time later.',
    ask: 'If the request is accepted, your devices stay until this time. You can change it later.',
    watch: 'After this time, the watcher no longer sees the swarm. You can change the time later.',
    agree: 'After this time, you no longer see the swarm. Only the owner of the swarm can choose a later time.',
  },
  change: 'Change the end…',
  shorten: 'End sooner…',
  change_of: (name: string) => `Change the end: ${name}`,
  save: 'Save',
  until_date: 'until {date}',
  now: 'Current end: {date}.',
  now_none: 'It has no end now.',
  member: 'When does the membership of {name} end?',
  member_own: 'At this time, the device leaves {swarm} automatically.',
  member_latest: 'The owner of {swarm} allows no end after {date}.',
  member_other:
    'At this time, the device leaves {swarm} automatically. You can choose an earlier end. Only {owner} can choose a later one.',
  watcher: 'When does {name} stop watching?',
  watcher_owner: 'After this time, {name} no longer sees the swarm.',
  watching: 'When do you stop watching?',
  stop_later: 'Choose an end…',
  agree_title: 'Watch {swarm} until…',
  agree_until: 'Until…',
  offered: 'If you agree, you see the swarm until {date}.',
} as const;
