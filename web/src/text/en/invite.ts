import { invitationCount, plural } from './plural.ts';

/** Texts of the page that invites devices to a swarm. */
export const inviting = {
  quota: (allowed: string, room: string, adding: string) =>
    `You can have up to ${allowed} open invitations. Only ${room} of the ${adding} new invitations can be sent. The others will fail.`,
  title: 'Invite devices to a swarm',
  short_title: 'Invite',
  csv: 'CSV file',
  swarm: 'Swarm',
  new_swarm: 'Create a swarm…',
  denied: 'You can’t invite devices to the swarm that was chosen here: it was deleted, or you don’t manage it.',
  none_title: 'You don’t own a swarm yet',
  none_text: 'Create a swarm to invite devices to it. Your input here is kept.',
  codes: 'Invite codes',
  codes_hint:
    'Enter one device per line, as an invite link, as {example}, or as a line of a CSV file. At the end of a line, you can add a role: sends, receives or both.',
  codes_example: 'user-name/device-id',
  show_field: 'Paste or type codes',
  type_instead: 'Enter user name and ID instead',
  typed_user: 'User name',
  typed_id: 'Device ID',
  typed_add: 'Add to the list',
  paste_instead: 'Done',
  scan: {
    action: 'Scan QR code',
    title: 'Scan invite codes',
    text: 'Hold the QR code of a device in front of the camera. You can scan several, one after another.',
    camera: 'Camera',
    light: 'Light',
    starting: 'Starting the camera…',
    on: 'Looking for a QR code…',
    added: 'Added:',
    device_of: (owner: string) => `A device of ${owner}`,
    known: 'Already in the list:',
    foreign: 'This code is from another service.',
    unknown: 'This is not an invite code.',
    count: (count: number) => plural(count, { one: '# code added', other: '# codes added' }),
    done: 'Done',
    problems: {
      no_camera: 'No camera found. Connect one, or paste the codes instead.',
      not_allowed:
        'Your browser does not let this page use the camera. Allow it in the browser’s settings for this page.',
      in_use: 'The camera is in use. Close the other program, then try again.',
      failed: 'The camera could not be started.',
    },
  },
  role: 'Role',
  role_names: { producer: 'Sends', consumer: 'Receives', both: 'Both' },
  /** Lower case, and separated by spaces. A line may name its role by any of them. */
  role_words: { producer: 'sends send', consumer: 'receives receive', both: 'both', and: 'and' },
  role_texts: {
    producer: 'The swarm’s receiving devices get what this device sends.',
    consumer: 'This device receives what other devices of the swarm send.',
    both: 'The device sends to the swarm and receives from the swarm.',
  },
  named_roles: (count: number) =>
    plural(count, {
      one: '# line has its own role. This choice applies to the others.',
      other: '# lines have their own role. This choice applies to the others.',
    }),
  columns: {
    label: 'Unknown columns',
    title: (count: number) =>
      plural(count, {
        one: '# column is not recognised. Choose what it contains.',
        other: '# columns are not recognised. Choose what they contain.',
      }),
    number: (number: string) => `Column ${number}`,
    first: 'First value: {value}',
    use_of: (column: string) => `Use of ${column}`,
    choose: 'Choose…',
    uses: { user: 'User name', id: 'Device ID', role: 'Role', label: 'Label', skip: 'Ignore' },
    skip_all: 'Ignore the others',
  },
  message: 'Message',
  message_placeholder: 'Please share wind data from your pier.',
  message_long: (most: string) => `At most ${most} characters.`,
  check: 'Check before sending',
  check_empty: 'Paste invite codes. Each line is checked here before you send.',
  counts: { ready: 'ready', again: 'to resend', left_out: 'skipped', malformed: 'invalid' },
  line: (line: string) => `Line ${line}`,
  ready: 'ready',
  later: 'member until {date}: you will offer a later end',
  /** For a member that is offered its other role: what becomes of its end. */
  other_role: {
    replaced: 'member until {date}: your end will replace this',
    limited: 'member without an end: your end will apply',
    kept: 'member until {date}: this end stays',
  },
  role_of_line: (line: string, role: string) => `Role of line ${line}: ${role}`,
  show_ready: (count: number) =>
    plural(count, { one: 'Show the line that is ready', other: 'Show the # lines that are ready' }),
  again: (days: number) =>
    plural(days, { one: 'sent # day ago, will be resent', other: 'sent # days ago, will be resent' }),
  again_now: 'open, will be resent',
  /** Of an open invitation for both roles, by the role that is not sent again. */
  again_without: {
    producer: 'open for both, only “receives” is resent',
    consumer: 'open for both, only “sends” is resent',
  },
  twice: (line: string) => `same as line ${line}: only one invitation is sent`,
  pair: (line: string) => `same device as line ${line}: one invitation for both roles`,
  member: {
    producer: 'already sends to this swarm',
    consumer: 'already receives from this swarm',
    both: 'already sends and receives in this swarm',
  },
  missing: {
    producer: 'already receives: is invited to send',
    consumer: 'already sends: is invited to receive',
  },
  own: 'your own device: add it under Members',
  code_errors: {
    no_separator: 'not an invite code: enter user name/device ID',
    user_malformed: 'not a user name',
    id_malformed: 'not a device ID',
    link_incomplete: 'the link has no user name or no device',
    role_unknown: 'unknown role: use sends, receives or both',
  },
  without_code: 'To invite people without a code, {link}.',
  create_link: 'create a link to join',
  fix: 'Fix',
  fix_line: (line: string) => `Fix line ${line}`,
  more_lines: (count: number) =>
    plural(count, { one: '# more line, checked the same way.', other: '# more lines, checked the same way.' }),
  unknown: 'User names and devices are checked when the invitations are sent.',
  members_unknown: 'This swarm is too large to check its members in advance. They are checked when you send.',
  sentence_nothing: 'Nothing to send yet.',
  sentence_columns: (count: number) =>
    plural(count, {
      one: 'Choose what the unknown column contains.',
      other: 'Choose what the # unknown columns contain.',
    }),
  sentence_role: (role: string, count: string) => `${role} (${count})`,
  sentence_no_swarm: 'Choose a swarm to see what will be sent.',
  sentence: (invitations: number, people: number) =>
    `{count} for ${plural(people, { one: '# person', other: '# people' })} to join {swarm}${
      invitations === 1 ? '' : ', one for each device'
    }. Role: {role}.` as const,
  sentence_count: invitationCount,
  sentence_until: 'Membership until {date}.',
  sentence_again: (count: number) =>
    plural(count, { one: '# open invitation will be resent.', other: '# open invitations will be resent.' }),
  sentence_kept: (count: number) =>
    plural(count, {
      one: '# open invitation for the other role stays as it is.',
      other: '# open invitations for the other role stay as they are.',
    }),
  sentence_left: (count: number) =>
    plural(count, { one: '# line will be skipped.', other: '# lines will be skipped.' }),
  sentence_end: 'A device joins when its owner accepts.',
  send: (count: number) => (count === 0 ? 'Send invitations' : `Send ${invitationCount(count)}`),
  kind: {
    one: 'Sending an invitation to {swarm}',
    one_done: 'Invitation to {swarm} sent',
    many: (count: number) => `Sending ${invitationCount(count)} to {swarm}`,
    many_done: (count: number) => `${invitationCount(count)} to {swarm} sent`,
    failed: (count: number) =>
      plural(count, { one: '# invitation could not be sent', other: '# invitations could not be sent' }),
  },
  result: 'Result',
  result_text: 'Lines that failed are still in the list.',
  result_counts: { sent: 'sent', failed: 'failed' },
  sent: 'sent',
  stopped: 'not sent: stopped',
  to_swarm: 'Go to the swarm',
  to_board: 'Show sent invitations',
  next: 'Invite more',
  problems: {
    'resource.not_theirs': 'this user has no such device',
    'membership.exists': 'already has this role',
    'invitation.to_yourself': 'your own device: add it under Members',
    'invitation.to_owner': 'a device of the swarm’s owner: the owner can add it under Members',
    'swarm.not_found': 'the swarm was deleted',
    'swarm.forbidden': 'you don’t manage this swarm',
    'service.unreachable': 'can’t reach the server',
    'service.no_answer': 'no answer from the server: the invitation may have been sent. Check sent invitations',
  },
  error_title: 'Your swarms could not be loaded',
} as const;

export const inviteCode = {
  title: 'Invite code',
  title_of: 'Invite code for {name}',
  text: 'Give this code to a swarm owner to get an invitation. The code contains your user name and the device ID. It gives no access to your account or the device.',
  copy: 'Copy invite code',
  show: 'Show QR code',
  enlarge: 'Enlarge QR code',
  qr: 'QR code of the invite link',
  not_copied: 'Your browser blocked copying. Select the link and copy it.',
  link: 'Invite link',
  label: {
    title: 'What the code says about the device',
    kinds: { none: 'Only its ID', name: 'Its name', text: 'Your text' },
    text: 'Text in the code',
    says_nothing: 'Until you accept, the swarm’s owner sees only the ID.',
    says: 'Anyone with the code can read this, even if you never accept an invitation. This browser remembers your choice.',
    quoted: (label: string) => `“${label}”`,
    from_code: 'as the invite code says, not confirmed',
  },
} as const;
