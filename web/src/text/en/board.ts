import { capital, invitationCount, spelled } from './plurals.ts';

/** Words of the invitations that were sent for a swarm. */
export const board = {
  title: 'Sent invitations',
  states: { new: 'Open', accepted: 'Accepted', rejected: 'Rejected', stale: 'No answer for 14 days' },
  state: { new: 'open', accepted: 'accepted', rejected: 'rejected' },
  filters: 'Filters',
  many: 'Invite many from CSV',
  columns: {
    state: 'State',
    to: 'To',
    device: 'Device',
    role: 'Role offered',
    age: 'Age',
    message: 'Message',
    acts: 'What to do',
  },
  stale_title: (count: number, text: string) =>
    count === 1
      ? 'One invitation has had no answer for 14 days.'
      : `${capital(spelled(count, text))} invitations have had no answer for 14 days.`,
  stale_text: (count: number) =>
    count === 1 ? 'Send it again, or withdraw it.' : 'Send them again, or withdraw them.',
  send_all: (count: number, text: string) =>
    count === 1 ? 'Send it again' : count === 2 ? 'Send both again' : `Send all ${text} again`,
  withdraw_all: (count: number, text: string) =>
    count === 1 ? 'Withdraw it' : count === 2 ? 'Withdraw both' : `Withdraw all ${text}`,
  send_again: 'Send again',
  send_again_to: (to: string) => `Send again to ${to}`,
  withdraw: 'Withdraw',
  acts_of: (to: string) => `More for the invitation to ${to}`,
  withdraw_from: (to: string) => `Withdraw from ${to}`,
  show: 'Show on map',
  show_of: (name: string) => `Show on map: ${name}`,
  invite_again: 'Invite again',
  invite_again_to: (to: string) => `Invite again: ${to}`,
  no_message: '—',
  sent_again: (count: number, text: string) => `${invitationCount(count, text)} sent again`,
  withdrawn: (count: number, text: string) => `${invitationCount(count, text)} withdrawn`,
  not_sent: (count: number, text: string) =>
    count === 1 ? 'It was not sent again' : `${invitationCount(count, text)} were not sent again`,
  not_withdrawn: (count: number, text: string) =>
    count === 1 ? 'It was not withdrawn' : `${invitationCount(count, text)} were not withdrawn`,
  not_read: 'Nothing was sent or withdrawn',
  not_ticked: 'They could not all be selected',
  doing_one: {
    withdraw: 'Withdrawing the invitation to {to}',
    send_again: 'Sending the invitation to {to} again',
  },
  doing_many: {
    withdraw: (count: number, text: string) => `Withdrawing ${invitationCount(count, text)}`,
    send_again: (count: number, text: string) => `Sending ${invitationCount(count, text)} again`,
  },
  doing: { withdraw: 'Withdrawing …', send_again: 'Sending again …' },
  progress: (done: string, all: string) => `${done} of ${all}`,
  undo: 'Undo',
  undo_of: (to: string) => `Undo for ${to}`,
  tick: 'Tick the invitation to {to}',
  tick_all: 'Tick all open ones',
  ticked: (count: string) => `${count} selected`,
  tick_all_of: (count: string) => `Select all ${count}`,
  untick: 'Clear',
  ticked_again: (count: number, text: string) => (count === 1 ? 'Send it again' : `Send ${text} again`),
  ticked_withdraw: (count: number, text: string) => (count === 1 ? 'Withdraw it' : `Withdraw ${text}`),
  of: (shown: string, all: string) => `${shown} of ${all}, open ones first, then the newest change`,
  names: 'A device’s name shows once its owner has accepted.',
  empty_title: 'Nothing sent yet',
  empty_text: 'Ask device owners for their invite codes, and invite one or many of them here.',
  none_title: 'None in this state',
  clear: 'Show all',
  error_title: 'The invitations could not be loaded',
};
