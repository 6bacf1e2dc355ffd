import { deviceCount, invitationCount, memberCount, plural, swarmCount } from './plural.ts';

const laterEndCount = (count: number) => plural(count, { one: '# later end', other: '# later ends' });

/** Texts of the inbox. */
export const invitations = {
  title: 'Invitations',
  arrived: (count: number) =>
    plural(count, { one: '# new invitation or request to join', other: '# new invitations or requests to join' }),
  invite: 'Invite',
  boxes: 'Received or sent',
  received: 'Received',
  sent: 'Sent',
  search: 'Search invitations',
  search_hint: 'User, swarm, device or ID',
  clear_search: 'Clear search',
  list: 'Invitations',
  one_device: 'Only one device',
  needs_answer: 'Needs an answer',
  waiting_for: 'Waiting for an answer',
  history: 'History',
  loading: 'Loading invitations',
  invited: '{from} invited {device}',
  /** It is not known who did. */
  invited_by_unknown: 'Invitation for {device}',
  you_invited: 'Invitation to {to} for {device}',
  asks: '{from} asks to join with {device}',
  you_asked: 'You asked {to} to accept {device}',
  /** By a link: nobody invited it. */
  joined: {
    received: 'Joined by a link: {device}',
    sent: '{to} joined by a link with {device}',
    state: 'joined',
  },
  /** The owner of the swarm offers a later end for a member. */
  later_end: {
    one: 'Later end',
    invited: 'Later end offered by {from} for {device}',
    invited_by_unknown: 'Later end offered for {device}',
    you_invited: 'Later end offered to {to} for {device}',
    consent: '{device} is in {swarm} until {now}. If you accept, it stays until {date}. Nothing else changes.',
    answers: {
      accept: {
        one: 'Accepting the later end for {device} in {swarm}',
        many: (count: number) => `Accepting ${laterEndCount(count)}`,
        one_done: 'Later end for {device} in {swarm} accepted',
        many_done: (count: number) => `${laterEndCount(count)} accepted`,
        failed: (count: number) =>
          plural(count, { one: 'The later end could not be accepted', other: '# later ends could not be accepted' }),
      },
      reject: {
        one: 'Rejecting the later end for {device} in {swarm}',
        many: (count: number) => `Rejecting ${laterEndCount(count)}`,
        one_done: 'Later end for {device} in {swarm} rejected',
        many_done: (count: number) => `${laterEndCount(count)} rejected`,
        failed: (count: number) =>
          plural(count, { one: 'The later end could not be rejected', other: '# later ends could not be rejected' }),
      },
    },
  },
  by: '{swarm} by {owner}',
  unknown_device: 'unknown device',
  /** A device that was deleted or handed over since. */
  former_device: 'former device',
  their_device: 'their device',
  former_text: 'It was deleted, or belongs to another user now.',
  accept: 'Accept',
  reject: 'Reject',
  withdraw: 'Withdraw',
  answering: { accept: 'Accepting…', reject: 'Rejecting…', withdraw: 'Withdrawing…', invite_again: 'Resending…' },
  paused: 'Paused',
  postponed: 'Waiting to be sent',
  done: { new: 'open', accepted: 'accepted', rejected: 'rejected' },
  /** The state for a former device: its owner has rejected it, or it ended with the device. */
  not_accepted: 'not accepted',
  ended: {
    accepted: 'Accepted',
    rejected: 'Rejected',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    gone: 'No longer open',
  },
  answers: {
    accept: {
      one: 'Accepting the invitation to {swarm} for {device}',
      many: (count: number) => `Accepting ${invitationCount(count)}`,
      one_done: 'Invitation to {swarm} for {device} accepted',
      many_done: (count: number) => `${invitationCount(count)} accepted`,
      failed: (count: number) =>
        plural(count, { one: 'The invitation could not be accepted', other: '# invitations could not be accepted' }),
    },
    reject: {
      one: 'Rejecting the invitation to {swarm} for {device}',
      many: (count: number) => `Rejecting ${invitationCount(count)}`,
      one_done: 'Invitation to {swarm} for {device} rejected',
      many_done: (count: number) => `${invitationCount(count)} rejected`,
      failed: (count: number) =>
        plural(count, { one: 'The invitation could not be rejected', other: '# invitations could not be rejected' }),
    },
  },
  failed_because: {
    'invitation.not_found': 'It has been withdrawn.',
    'invitation.already_answered': 'It has already been answered.',
    'invitation.ended': 'It has expired.',
    'join_request.not_found': 'It has expired or was withdrawn, or its device was deleted.',
    'join_request.already_answered': 'It has already been answered.',
    'join_request.ended': 'It has expired.',
    'resource.not_found': 'The device has been deleted.',
    'swarm.not_found': 'The swarm has been deleted.',
  },
  /** How it was answered before, elsewhere. */
  answered_before: {
    received: { accepted: 'You have already accepted it, {when}.', rejected: 'You have already rejected it, {when}.' },
    sent: { accepted: '{to} has already accepted it, {when}.', rejected: '{to} has already rejected it, {when}.' },
    is_member: '{device} is in {swarm} now: the request was accepted.',
  },
  to_leave: 'The page of {device} shows whether it is still in the swarm, and lets it leave.',
  select: 'Select: {invitation}',
  select_all: 'Select all',
  selecting: (done: string, total: string) => `Selecting ${done} of ${total}…`,
  selected_of: (count: string, total: string) => `${count} of ${total} selected`,
  review: (count: string) => `Review ${count}`,
  new_above: (count: string) => `${count} new`,
  back: 'Back to invitations',
  one: 'Invitation',
  one_request: 'Request to join',
  next: 'Next',
  previous: 'Previous',
  place: (at: string, total: string) => `${at} of ${total}`,
  keys_step: 'next, previous',
  keys_select: 'select',
  facts: {
    sent: 'sent {when}',
    sent_by: 'sent by {by} {when}',
    swarm: 'Swarm',
    public: 'public',
    members: memberCount,
    no_access: 'You no longer have access to this swarm.',
    role: 'Role offered',
    later_end: 'Later end offered',
    role_joined: 'Role',
    role_asked: 'Role asked for',
    your_device: 'Your device',
    device: 'Device',
    message: 'Message',
    quote: '“{message}”',
    state: 'Status',
    no_position: 'no position',
    not_yours: 'You can see it after its owner has accepted.',
    on: '{state} {when}',
    stays: 'in the swarm until {date}',
  },
  role_does: {
    producer: 'The swarm’s receiving devices get what this device sends.',
    consumer: 'This device receives what other devices of the swarm send.',
    both: 'The device sends to the swarm and receives from the swarm.',
  },
  until: {
    action: 'Accept until…',
    title: 'Accept until…',
    text: 'At that time, {device} leaves {swarm} automatically. From then on, the swarm’s devices get nothing from {device}, and the members don’t see {device}. What it has sent can be read in the swarm for up to 24 hours more.',
    offered: 'You are offered a membership until {date}. Then the device leaves the swarm automatically.',
    /** The device has the other role: of what it has until {now}, without an end, or until {now} if none is offered. */
    replaced:
      'The device already has one role in the swarm, until {now}. If you accept, it has both roles until {date}. Then it leaves the swarm automatically.',
    limited:
      'The device already has one role in the swarm, without an end. If you accept, it has both roles only until {date}. Then it leaves the swarm automatically.',
    kept: 'If you accept, the device has both roles. The end does not change: the device is in the swarm until {now}. Then it leaves the swarm automatically.',
    instead_of_none: 'until {date} (now: no end)',
    asked: 'The request is for a membership until {date}. Then the device leaves the swarm automatically.',
  },
  consent:
    'If you accept, *the owner, managers, watchers and members* of {swarm} see this device: name, type, description, position, when it was last online, and its track since it joined, if recorded.\n*All but members that only send* can read what it sends, up to 24 hours back, and recorded values.\nIf it is silent, *the owner, managers and watchers* can be notified.',
  consent_request:
    'If you accept, *{from} and the members* of {swarm} see each other’s devices in the swarm: name, type, description, position and when each device was last online. If the owner of a device records its track, they see the track from now on.\nIf the owner records the values of the device, *users who can read the messages of the device* see the values.',
  /** A request of a device that has joined with the other role meanwhile. */
  consent_member:
    '{device} is in {swarm} already: {from} and the members see each other’s devices. If you accept, it will both send and receive there.',
  /** In a row: who sees what after Accept. They fit into one line of the smallest phone. */
  audience: {
    seen: 'All in the swarm see its position',
    members: (count: number) => `(${memberCount(count)})`,
    owner: '(owner: {owner})',
    each_other: 'All in the swarm see all its devices',
    is_member: 'Already in; would send and receive',
  },
  block: 'Block user…',
  block_title: 'Block {from}?',
  block_text:
    'All open requests of this user to join {swarm} are rejected. Links to join {swarm} don’t work for this user. The user is not told. Devices of this user that are in the swarm stay. You can unblock the user in the swarm’s settings.',
  block_confirm: 'Reject and block',
  map: 'Map of your device',
  bulk: {
    title: {
      accept: (count: number) => `Accept ${invitationCount(count)}`,
      reject: (count: number) => `Reject ${invitationCount(count)}`,
      withdraw: (count: number) => `Withdraw ${invitationCount(count)}`,
    },
    title_requests: {
      accept: (count: number) => plural(count, { one: 'Accept # request', other: 'Accept # requests' }),
      reject: (count: number) => plural(count, { one: 'Reject # request', other: 'Reject # requests' }),
      withdraw: (count: number) => plural(count, { one: 'Withdraw # request', other: 'Withdraw # requests' }),
    },
    consent_requests:
      'If you accept, *each user and the members of the swarm that the user asked to join* see each other’s devices there: name, type, description, position and when each device was last online. If the owner of a device records its track, they see the track from now on.\nIf the owner records the values of the device, *users who can read the messages of the device* see the values.',
    joins: (devices: number, swarms: number) =>
      `${plural(devices, { one: '# device joins', other: '# devices join' })} ${swarmCount(swarms)}.`,
    stays: (devices: number) => plural(devices, { one: '# device stays longer.', other: '# devices stay longer.' }),
    undo: 'You can undo this for a short time.',
    over: (count: number) =>
      plural(count, {
        one: '# has expired and can only be rejected.',
        other: '# have expired and can only be rejected.',
      }),
    withdraws: (swarms: number) => `Affects ${swarmCount(swarms)}. You can undo this for a short time.`,
    more_devices: (count: number) => plural(count, { one: 'and # more device', other: 'and # more devices' }),
    more_swarms: (count: number) => plural(count, { one: 'and # more swarm', other: 'and # more swarms' }),
    show_more: 'Show more',
    consent:
      'If you accept, *the owners, managers, watchers and members* of these swarms see each device that joins: {what}. If you record its track, they see the track since it joined.\n*The owners, managers, watchers and users whose devices receive* can read what it sends there, including the 24 hours before they joined. If you record its values, they see the values.\nIf a device is silent, *the owner, managers and watchers* can be notified.\nThese swarms have {members} now.',
    consent_one:
      'If you accept, *the owner, managers, watchers and members* of the swarm see each device that joins: {what}. If you record its track, they see the track since it joined.\n*The owner, managers, watchers and users whose devices receive* can read what it sends there, including the 24 hours before they joined. If you record its values, they see the values.\nIf a device is silent, *the owner, managers and watchers* can be notified.\nThe swarm has {members} now.',
    consent_of: {
      sends: 'What a sending device sends goes to the receiving devices of its swarm.',
      receives: 'A receiving device gets what the sending devices of its swarm send.',
      ends: 'A device that is invited until a time leaves its swarm automatically then.',
    },
    consent_stay: 'If you accept, each device stays in its swarm until the offered end. Nothing else changes.',
    what: 'name, type, description, position and when it was last online',
    members: deviceCount,
    accept: (count: string) => `Accept ${count}`,
    reject: (count: string) => `Reject ${count}`,
    withdraw: (count: string) => `Withdraw ${count}`,
  },
  empty: {
    received_title: 'No invitations yet',
    received_text: 'Give a device’s invite code to a swarm owner. Their invitations appear here.',
    received_action: 'Go to your devices',
    all_answered: 'All answered.',
    sent_title: 'No invitations sent from your own swarms',
    sent_text:
      'Invite a device to one of your swarms. The status of the invitation appears here. If you manage another user’s swarm, its invitations are on its page.',
    none_match: 'No results',
    none_match_text: 'No invitations match “{q}”.',
  },
  error_title: 'The invitations could not be loaded',
  not_found_title: 'Invitation not found',
  not_found_text: 'It may have been withdrawn, or you don’t have access.',
  choose: 'Select an invitation to read it.',
  device_box: {
    title: 'Invitations',
    open: (count: string) => `${count} open`,
    all: (count: string) => `All ${count}`,
    invited: '{from} invited it to {swarm}',
    invited_by_unknown: 'Invitation to {swarm}',
    later_end: {
      invited: '{from} offers a later end in {swarm}',
      invited_by_unknown: 'Later end offered in {swarm}',
    },
    sent: 'sent {when}',
    none_open: 'No open invitations.',
  },
} as const;
