import { capital, invitationCount, spelled } from './plurals.ts';
import { plural } from './plurals.ts';

/** Words of inviting devices to a swarm, and of the codes by which one invites them. */
export const inviting = {
  quota: (allowed: string, room: string, adding: string) =>
    `You may have ${allowed} open invitations. Only ${room} of the ${adding} new invitations can be sent; the others will fail.`,
  title: 'Invite devices to a swarm',
  short_title: 'Invite',
  csv: 'CSV file',
  swarm: 'Swarm',
  choose: 'Choose a swarm',
  swarm_is: 'Swarm: ',
  new_swarm: 'Create a swarm …',
  none_title: 'You own no swarm yet',
  none_text: 'An invitation asks a device into a swarm of yours. Create one; what is filled in here stays.',
  codes: 'Invite codes',
  codes_hint: 'One a line: the link, {example}, or CSV.',
  codes_example: 'user/resource-id',
  type_instead: 'Type user name and id instead',
  typed_user: 'User name',
  typed_id: 'Resource id',
  typed_add: 'Add to the list',
  paste_instead: 'Done typing',
  role: 'Role',
  role_names: { producer: 'Producer', consumer: 'Consumer' },
  role_texts: {
    producer: 'May provide data to the swarm.',
    consumer: 'May use the swarm’s data.',
  },
  both: 'To give a device both roles, send one invitation for each role.',
  named_roles: (count: number, text: string) =>
    `${text} ${plural(count, { one: 'line names its own role', other: 'lines name their own role' })}. The choice here applies to the others.`,
  columns: {
    label: 'Unknown columns',
    title: (count: number, text: string) =>
      count === 1 ? 'One column is not recognised. What is it?' : `${text} columns are not recognised. What are they?`,
    number: (number: string) => `Column ${number}`,
    first: 'First value: {value}',
    use_of: (column: string) => `Use of ${column}`,
    choose: 'Choose …',
    uses: { user: 'User name', id: 'Resource id', role: 'Role', skip: 'Do not use' },
    skip_all: 'Use none of the others',
  },
  message: 'Message',
  message_placeholder: 'Wind from your pier, please.',
  message_long: (most: string) => `At most ${most} characters.`,
  check: 'Check before sending',
  check_empty: 'Paste invite codes, and each line is checked here before anything is sent.',
  counts: { ready: 'ready', again: 'sent again', left_out: 'left out', malformed: 'malformed' },
  line: (line: string) => `Line ${line}`,
  ready: 'ready',
  ready_as: { producer: 'ready, as producer', consumer: 'ready, as consumer' },
  again: (days: number, text: string) =>
    `open for ${text} ${plural(days, { one: 'day', other: 'days' })}, will be sent again`,
  again_now: 'open, will be sent again',
  twice: (line: string) => `same as line ${line}, sent once`,
  member: { producer: 'already a producer here', consumer: 'already a consumer here' },
  own: 'your own: add it under Members',
  faults: {
    no_separator: 'no “/” between user and id',
    user_malformed: 'not a user name',
    id_malformed: 'not a resource id',
    link_incomplete: 'the link names no user or no device',
    role_unknown: 'the role must be producer or consumer',
    role_both: 'for both roles, add one line for each role',
  },
  fix: 'Fix',
  fix_line: (line: string) => `Fix line ${line}`,
  more_lines: (count: number, text: string) =>
    `${text} more ${plural(count, { one: 'line', other: 'lines' })}, checked like these.`,
  unknown: 'Whether user and device exist shows only after sending.',
  members_unknown: 'The swarm is too large to look up its members first: who is in it already shows after sending.',
  sentence_nothing: 'Nothing is ready to be sent.',
  sentence_columns: (count: number, text: string) =>
    count === 1 ? 'Choose what the unknown column is for.' : `Choose what the ${text} unknown columns are for.`,
  sentence_roles: (producers: string, consumers: string) => `producer (${producers}) or consumer (${consumers})`,
  sentence_no_swarm: 'Choose a swarm, and this says what will happen.',
  sentence: (invitations: number, people: number, peopleText: string) =>
    `{count} to ${spelled(people, peopleText)} ${plural(people, { one: 'person', other: 'people' })}, ${
      invitations === 1 ? 'for one device' : 'each for one device'
    } as {role} in {swarm}`,
  sentence_count: (count: number, text: string) =>
    capital(`${spelled(count, text)} ${plural(count, { one: 'invitation', other: 'invitations' })}`),
  sentence_again: (count: number, text: string) =>
    `; ${spelled(count, text)} that ${plural(count, { one: 'is', other: 'are' })} still open ${plural(count, { one: 'is', other: 'are' })} sent again`,
  sentence_left: (count: number, text: string) =>
    `${capital(spelled(count, text))} ${plural(count, { one: 'line is', other: 'lines are' })} left out.`,
  sentence_end: 'Nothing joins before its owner accepts.',
  send: (count: number, text: string) => (count === 0 ? 'Send invitations' : `Send ${invitationCount(count, text)}`),
  sending: (done: string, all: string) => `Sending ${done} of ${all}`,
  stop: 'Stop',
  pause: 'Pause',
  resume: 'Resume',
  paused: (done: string, all: string) => `Paused at ${done} of ${all}`,
  sending_to: (count: number, text: string) => `Sending ${invitationCount(count, text)} to {swarm}`,
  sent_many: (count: number, text: string) => `${invitationCount(count, text)} sent`,
  left_many: (count: number, text: string) =>
    `${text} ${plural(count, { one: 'was', other: 'were' })} not: Invite says why.`,
  result: 'Result',
  result_text: 'Lines that failed are still in the list.',
  result_counts: { sent: 'sent', refused: 'not sent' },
  sent: 'sent',
  sent_again: 'sent again',
  stopped: 'stopped before it was sent',
  to_board: 'To the board',
  next: 'Invite more',
  problems: {
    'resource.not_theirs': 'this user has no such device',
    'membership.exists': 'already in this role',
    'invitation.to_yourself': 'your own: add it under Members',
    'swarm.not_found': 'the swarm is gone',
    'swarm.forbidden': 'the swarm is not yours',
    'service.unreachable': 'the service does not answer',
  } as Record<string, string>,
  error_title: 'Your swarms could not be loaded',
};

export const inviteCode = {
  title: 'Invite code',
  text: 'Give it to a swarm’s owner. It names this device and you, and opens nothing by itself.',
  copy: 'Copy invite code',
  show: 'Show QR code',
  enlarge: 'Enlarge QR code',
  qr: 'QR code of the invite link',
  share: 'Share',
  not_copied: 'The browser did not allow copying. Select the link and copy it.',
  link: 'Invite link',
};
