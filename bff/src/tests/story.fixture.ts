import type { Invitation, InvitationRole, MemberRole, Resource, Swarm } from '../contract.ts';

/** The actions of users with one device and one swarm. */
export type Act =
  | { what: 'create' | 'destroy' | 'leave' }
  | { what: 'describe'; text: string }
  | { what: 'invite'; role: InvitationRole; text: string }
  | { what: 'accept' | 'reject' | 'withdraw'; role: InvitationRole };

interface Sent {
  role: InvitationRole;
  status: Invitation['status'];
  /** Undefined if the response to its last change was lost. */
  body: Invitation | undefined;
}

/** The state of a device: its fields, its invitation and its membership. */
export interface State {
  device: 'none' | 'there' | 'gone';
  id?: string;
  text: string;
  /** The last response. */
  body?: Resource | undefined;
  sent: Sent[];
  member?: MemberRole | undefined;
}

export const nothing: State = { device: 'none', text: '', sent: [] };

const roles = ['producer', 'consumer'] as const;
export const openOf = ({ sent }: State, role: InvitationRole) =>
  sent.find((each) => each.role === role && each.status === 'new');

/** The possible actions; `text` is the text to write. */
export function actsIn(state: State, text: string): Act[] {
  if (state.device === 'none') return [{ what: 'create' }];
  if (state.device === 'gone') return [];
  const aboutRoles = roles.flatMap((role): Act[] => {
    const invite: Act = { what: 'invite', role, text };
    if (openOf(state, role))
      return [invite, ...(['accept', 'reject', 'withdraw'] as const).map((what) => ({ what, role }))];
    return state.member === role || state.member === 'both' ? [] : [invite];
  });
  const leave: Act[] = state.member ? [{ what: 'leave' }] : [];
  return [{ what: 'describe', text }, { what: 'destroy' }, ...leave, ...aboutRoles];
}

/** The state after an action; `answer` is the response, if there was one. */
export function after(state: State, act: Act, answer?: unknown): State {
  if ('role' in act) return afterInvitation(state, act, answer as Invitation | undefined);
  if (act.what === 'leave') return { ...state, member: undefined };
  if (act.what === 'destroy') {
    const sent = state.sent.map((each): Sent =>
      each.status === 'new' ? { ...each, status: 'rejected', body: undefined } : each,
    );
    return { ...state, device: 'gone', body: undefined, member: undefined, sent };
  }
  const body = answer as Resource | undefined;
  const text = act.what === 'describe' ? act.text : state.text;
  return { ...state, device: 'there', text, body, ...(body && { id: body.id }) };
}

function afterInvitation(
  state: State,
  act: Extract<Act, { role: InvitationRole }>,
  body: Invitation | undefined,
): State {
  const { role } = act;
  const put = (status: Invitation['status']) =>
    state.sent.map((each) => (each.role === role && each.status === 'new' ? { role, status, body } : each));
  if (act.what === 'invite') {
    return { ...state, sent: openOf(state, role) ? put('new') : [...state.sent, { role, status: 'new', body }] };
  }
  if (act.what === 'withdraw') {
    return { ...state, sent: state.sent.filter((each) => each.role !== role || each.status !== 'new') };
  }
  if (act.what === 'reject') return { ...state, sent: put('rejected') };
  return { ...state, sent: put('accepted'), member: state.member && state.member !== role ? 'both' : role };
}

/** The parts of two users' lists that belong to a story. */
export interface Seen {
  device: Resource | undefined;
  sent: Invitation[];
  received: Invitation[];
  member: Swarm['resources'][number] | undefined;
}

/** The differences between the lists and the state. */
export function differences({ device, text, body, sent, member }: State, seen: Seen): string[] {
  const pairs: Record<string, [unknown, unknown]> = {
    device: [device === 'there' ? text : undefined, seen.device?.description],
    body: body ? [body, seen.device] : [0, 0],
    invitations: [
      sent.map(({ role, status }) => `${role} ${status}`),
      seen.sent.map(({ resource_type, status }) => `${resource_type} ${status}`),
    ],
    answers: [
      sent.map((each) => each.body ?? 'untold'),
      seen.sent.map((invitation, index) => (sent[index]?.body ? invitation : 'untold')),
    ],
    received: [seen.sent, seen.received],
    member: [member, seen.member?.resource_type],
  };
  return Object.entries(pairs)
    .map(([what, [expected, actual]]) => ({ what, expected: JSON.stringify(expected), actual: JSON.stringify(actual) }))
    .filter(({ expected, actual }) => expected !== actual)
    .map(({ what, expected, actual }) => `${what} is ${actual}, not ${expected}`);
}
