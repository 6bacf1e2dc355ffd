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
  wrong_latest: 'Choose a time at least 1 hour from now, and not after the latest possible end.',
  /** Below the field, in the forms that give or offer a consent. */
  hints: {
    invite:
      'At this time, each device leaves the swarm automatically. The owner of the device may choose an earlier time.',
    join: 'At this time, your devices leave the swarm automatically. You can change the time later.',
    ask: 'If the request is accepted, your devices leave the swarm at this time. You can change it later.',
    watch: 'After this time, the watcher sees nothing. You can change it later.',
    agree: 'After the end, you see nothing. Only the owner of the swarm can choose a later one.',
  },
  change: 'Change the end…',
  shorten: 'End sooner…',
  change_of: (name: string) => `Change the end: ${name}`,
  save: 'Save',
  until_date: 'until {date}',
  now: 'Now: until {date}.',
  now_none: 'Now: no end.',
  member: 'When does the membership of {name} end?',
  member_own: 'At the end, the device leaves {swarm} automatically.',
  member_latest: 'The owner of {swarm} allows it until {date} at the latest.',
  member_other:
    'At the end, the device leaves {swarm} automatically. You can choose an earlier end. Only {owner} can choose a later one.',
  watcher: 'When does {name} stop watching?',
  watcher_owner: 'After the end, {name} sees nothing.',
  watching: 'When do you stop watching?',
  stop_later: 'Stop later…',
  agree_title: 'Watch {swarm} until…',
  agree_until: 'Until…',
  offered: 'You would see the swarm until {date}.',
} as const;
