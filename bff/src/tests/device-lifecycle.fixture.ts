import type { Invitation, InvitationRole, MemberRole, Resource, Swarm } from '../contract.ts';

/** The actions of users with one device and one swarm. */
export type Action =
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

export const initialState: State = { device: 'none', text: '', sent: [] };

const roles = ['producer', 'consumer'] as const;
export const openInvitation = ({ sent }: State, role: InvitationRole) =>
  sent.find((each) => each.role === role && each.status === 'new');

/** The possible actions; `text` is the text to write. */
export function possibleActions(state: State, text: string): Action[] {
  if (state.device === 'none') return [{ what: 'create' }];
  if (state.device === 'gone') return [];
  const aboutRoles = roles.flatMap((role): Action[] => {
    const invite: Action = { what: 'invite', role, text };
    if (openInvitation(state, role))
      return [invite, ...(['accept', 'reject', 'withdraw'] as const).map((what) => ({ what, role }))];
    return state.member === role || state.member === 'both' ? [] : [invite];
  });
  const leave: Action[] = state.member ? [{ what: 'leave' }] : [];
  return [{ what: 'describe', text }, { what: 'destroy' }, ...leave, ...aboutRoles];
}

/** The state after an action; `answer` is the response, if there was one. */
export function stateAfter(state: State, action: Action, answer?: unknown): State {
  if ('role' in action) return afterInvitation(state, action, answer as Invitation | undefined);
  if (action.what === 'leave') return { ...state, member: undefined };
  if (action.what === 'destroy') {
    const sent = state.sent.map((each): Sent =>
      each.status === 'new' ? { ...each, status: 'rejected', body: undefined } : each,
    );
    return { ...state, device: 'gone', body: undefined, member: undefined, sent };
  }
  const body = answer as Resource | undefined;
  const text = action.what === 'describe' ? action.text : state.text;
  return { ...state, device: 'there', text, body, ...(body && { id: body.id }) };
}

function afterInvitation(
  state: State,
  action: Extract<Action, { role: InvitationRole }>,
  body: Invitation | undefined,
): State {
  const { role } = action;
  const put = (status: Invitation['status']) =>
    state.sent.map((each) => (each.role === role && each.status === 'new' ? { role, status, body } : each));
  if (action.what === 'invite') {
    return {
      ...state,
      sent: openInvitation(state, role) ? put('new') : [...state.sent, { role, status: 'new', body }],
    };
  }
  if (action.what === 'withdraw') {
    return { ...state, sent: state.sent.filter((each) => each.role !== role || each.status !== 'new') };
  }
  if (action.what === 'reject') return { ...state, sent: put('rejected') };
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
      sent.map((each) => each.body ?? 'unknown'),
      seen.sent.map((invitation, index) => (sent[index]?.body ? invitation : 'unknown')),
    ],
    received: [seen.sent, seen.received],
    member: [member, seen.member?.resource_type],
  };
  return Object.entries(pairs)
    .map(([what, [expected, actual]]) => ({ what, expected: JSON.stringify(expected), actual: JSON.stringify(actual) }))
    .filter(({ expected, actual }) => expected !== actual)
    .map(({ what, expected, actual }) => `${what} is ${actual}, not ${expected}`);
}
