import { invitationCount, plural } from './plural.ts';

/** Texts of the invitations sent for a swarm. */
export const board = {
  title: 'Sent invitations',
  states: { new: 'Open', accepted: 'Accepted', rejected: 'Rejected', stale: 'No answer for 14 days' },
  former_device: 'no longer available',
  former_text: 'The device was deleted, or belongs to another user now.',
  /** Nobody invited the device. */
  joined_by: { link: 'by a link', request: 'by request' },
  filters: 'Filters',
  search: 'Search invitations',
  search_hint: 'User or device',
  many: 'Invite many from CSV',
  columns: {
    state: 'Status',
    to: 'To',
    device: 'Device',
    role: 'Role offered',
    age: 'Changed',
    message: 'Message',
  },
  stale_title: (count: number) =>
    plural(count, {
      one: '# invitation has had no answer for 14 days.',
      other: '# invitations have had no answer for 14 days.',
    }),
  stale_text: 'Resend or withdraw.',
  actions_of: (to: string) => `Actions for the invitation to ${to}`,
  /** `row`: on the button of a row; `all`: on that for all without an answer; the others as in bulk.ts. */
  commands: {
    invite_again: {
      row: 'Resend',
      row_of: (to: string) => `Resend to ${to}`,
      all: (count: number) => plural(count, { one: 'Resend', other: 'Resend #' }),
      title: (count: number) => `Resend ${invitationCount(count)}?`,
      text: 'The recipients see the invitation as new. You can undo this for a short time.',
      others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
      confirm: (count: number) => `Resend ${invitationCount(count)}`,
    },
    withdraw: {
      row: 'Withdraw',
      row_of: (to: string) => `Withdraw the invitation to ${to}`,
      all: (count: number) => plural(count, { one: 'Withdraw', other: 'Withdraw #' }),
      title: (count: number) => `Withdraw ${invitationCount(count)}?`,
      text: 'A withdrawn invitation can no longer be accepted. You can undo this for a short time.',
      others: (count: number) => plural(count, { one: '# will be skipped.', other: '# will be skipped.' }),
      confirm: (count: number) => `Withdraw ${invitationCount(count)}`,
    },
  },
  show: 'Show on map',
  show_of: (name: string) => `Show on map: ${name}`,
  invite_again: 'Invite again',
  invite_again_to: (to: string) => `Invite again: ${to}`,
  no_message: '—',
  not_read: 'Nothing was sent or withdrawn',
  kinds: {
    withdraw: {
      one: 'Withdrawing the invitation to {to}',
      one_done: 'Invitation to {to} withdrawn',
      many: (count: number) => `Withdrawing ${invitationCount(count)}`,
      many_done: (count: number) => `${invitationCount(count)} withdrawn`,
      failed: (count: number) =>
        plural(count, { one: 'The invitation could not be withdrawn', other: '# invitations could not be withdrawn' }),
    },
    withdraw_later_end: {
      one: 'Withdrawing the later end offered to {to}',
      one_done: 'Later end offered to {to} withdrawn',
      many: (count: number) =>
        plural(count, { one: 'Withdrawing # offer of a later end', other: 'Withdrawing # offers of a later end' }),
      many_done: (count: number) =>
        plural(count, { one: '# offer of a later end withdrawn', other: '# offers of a later end withdrawn' }),
      failed: (count: number) =>
        plural(count, { one: 'The offer could not be withdrawn', other: '# offers could not be withdrawn' }),
    },
    invite_again: {
      one: 'Resending the invitation to {to}',
      one_done: 'Invitation to {to} resent',
      many: (count: number) => `Resending ${invitationCount(count)}`,
      many_done: (count: number) => `${invitationCount(count)} resent`,
      failed: (count: number) =>
        plural(count, { one: 'The invitation could not be resent', other: '# invitations could not be resent' }),
    },
  },
  later_end: 'Later end',
  select: 'Select the invitation to {to}',
  select_all: 'Select all open invitations',
  of: (shown: string, all: string) => `${shown} of ${all}, open first, then by last change`,
  names: 'You can see a device’s name once its owner accepts. Labels from invite codes are in quotation marks.',
  empty_title: 'No invitations sent yet',
  empty_text: 'Ask device owners for invite codes, then invite one or more devices here.',
  none_title: 'No invitations match',
  clear: 'Show all',
  error_title: 'The invitations could not be loaded',
} as const;
