import { deviceCount, plural } from './plural.ts';

/** Texts of requests to join a public swarm. */
export const requests = {
  kind: {
    one: 'Asking to join {swarm} with {name}',
    one_done: 'Asked to join {swarm} with {name}',
    many: (count: number) => `Asking to join {swarm} with ${deviceCount(count)}` as const,
    many_done: (count: number) => `Asked to join {swarm} with ${deviceCount(count)}` as const,
    failed: (count: number) => plural(count, { one: '# request was not sent', other: '# requests were not sent' }),
  },
  accept: {
    one: 'Accepting the request to join {swarm} with {device}',
    one_done: 'Request to join {swarm} with {device} accepted',
    many: (count: number) => plural(count, { one: 'Accepting # request', other: 'Accepting # requests' }),
    many_done: (count: number) => plural(count, { one: '# request accepted', other: '# requests accepted' }),
    failed: (count: number) =>
      plural(count, { one: 'The request could not be accepted', other: '# requests could not be accepted' }),
  },
  reject: {
    one: 'Rejecting the request to join {swarm} with {device}',
    one_done: 'Request to join {swarm} with {device} rejected',
    many: (count: number) => plural(count, { one: 'Rejecting # request', other: 'Rejecting # requests' }),
    many_done: (count: number) => plural(count, { one: '# request rejected', other: '# requests rejected' }),
    failed: (count: number) =>
      plural(count, { one: 'The request could not be rejected', other: '# requests could not be rejected' }),
  },
  withdraw: {
    one: 'Withdrawing the request with {device}',
    one_done: 'Request with {device} withdrawn',
    many: (count: number) => plural(count, { one: 'Withdrawing # request', other: 'Withdrawing # requests' }),
    many_done: (count: number) => plural(count, { one: '# request withdrawn', other: '# requests withdrawn' }),
    failed: (count: number) =>
      plural(count, { one: 'The request could not be withdrawn', other: '# requests could not be withdrawn' }),
  },
  title: 'Requests to join',
  yours: 'Your open requests',
  more: (count: number) =>
    plural(count, { one: 'and # more in your invitations', other: 'and # more in your invitations' }),
  ask: 'Ask to join',
  text: 'Ask the owner to let your devices join.',
  dialog_title: 'Ask to join {swarm}',
  consent:
    'When you ask, *the owner and the managers* see the name and type of these devices.\nIf they accept, *you* see the devices of the members.\n*The owner, managers, watchers and members* then also see the description and position of each of your devices, and when it was last online. If you record its track, they see the track since it joined.\n*The owner, managers, watchers and users whose devices receive* can read what it sends there, including the 24 hours before they joined. If you record its values, they see the values.\nIf a device is silent, *the owner, managers and watchers* can be notified.',
  message: 'Message',
  submit: (count: number) => (count === 0 ? 'Ask' : `Ask with ${deviceCount(count)}`),
  accepts: 'Users can ask to join',
  theirs_accepts: 'users can ask to join',
  theirs_refuses: 'users can’t ask to join',
  blocked: 'Blocked users',
  unblock: 'Unblock',
  unblock_of: (user: string) => `Unblock ${user}`,
} as const;
