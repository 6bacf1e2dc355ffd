/** What the kinds of actions do. shared/actions/action-labels.tsx has what they are called. */
import type { Action, ActionItem, ActionKind, ActionKinds, ActionOf, NamedItem } from '@swarmdeck/bff/contract';
import type { Change } from '../stream/changes.ts';
import { membershipTarget } from '../cache/memberships.ts';

interface ActionEffect<Kind extends ActionKind> {
  /** What an item concerns, for `usePending`: `resource:<id>`, `invitation:<id>`, `membership:<swarm>:<resource>`, … */
  targets?(item: ActionItem<Kind>, about: ActionKinds[Kind]['about']): string[];
  /** What has changed when it has ended, besides the events of the service. */
  changes(action: ActionOf<Kind>): Change[];
}

type MemberKind = 'add_member' | 'change_role' | 'narrow_role' | 'remove_member' | 'extend_member';

export const invitationTarget = (id: string) => `invitation:${id}`;

const targetsOfInvitation = ({ id, other_id }: ActionItem<'answer' | 'withdraw' | 'invite_again'>) =>
  [id, ...(other_id === undefined ? [] : [other_id])].map(invitationTarget);
const targetsOfMember = ({ id }: NamedItem, { swarm }: ActionKinds[MemberKind | 'join']['about']) => [
  membershipTarget({ swarm_id: swarm.id, resource_id: id }),
];

const ofMembers = {
  targets: targetsOfMember,
  changes({ about, items = [], total }: ActionOf<MemberKind>): Change[] {
    const [first] = items;
    const of = first && total === 1 ? { resource_id: first.id } : {};
    return [{ type: 'membership.changed', data: { swarm_id: about.swarm.id, ...of } }];
  },
};
const devicesChange = (): Change[] => [{ type: 'devices.changed', data: {} }];
const invitationsChange = (): Change[] => [{ type: 'invitations.changed', data: {} }];

const sendsInvitations = {
  changes: ({ about: { swarm } }: ActionOf<'invite' | 'offer_end'>): Change[] => [
    { type: 'invitation.sent', data: { swarm_id: swarm.id } },
  ],
};

const effects: { [Kind in ActionKind]: ActionEffect<Kind> } = {
  answer: {
    targets: targetsOfInvitation,
    changes: ({ about }) => [
      { type: about.answer === 'accept' ? 'membership.changed' : 'invitations.changed', data: {} },
    ],
  },
  withdraw: { targets: targetsOfInvitation, changes: invitationsChange },
  invite_again: { targets: targetsOfInvitation, changes: invitationsChange },
  invite: sendsInvitations,
  offer_end: sendsInvitations,
  join: {
    targets: targetsOfMember,
    changes: ({ about: { swarm } }) => [{ type: 'membership.changed', data: { swarm_id: swarm.id } }],
  },
  ask_to_join: { changes: invitationsChange },
  add_member: ofMembers,
  change_role: ofMembers,
  narrow_role: ofMembers,
  remove_member: ofMembers,
  extend_member: ofMembers,
  import: { changes: devicesChange },
  update: { changes: devicesChange },
  // The page that has sent it shows it, and the stream has its event.
  edit: { changes: () => [] },
  delete: {
    targets: ({ id }) => [`resource:${id}`],
    changes: ({ items = [], total, failed }) =>
      failed > 0 || items.length < total
        ? devicesChange()
        : items.map(({ id }) => ({ type: 'resource.destroyed', data: { id } })),
  },
  delete_swarm: {
    targets: ({ id }) => [`swarm:${id}`],
    changes: ({ items = [], failed }) =>
      failed > 0 ? [] : items.map(({ id }) => ({ type: 'swarm.destroyed', data: { id } })),
  },
  delete_view: {
    targets: ({ id }) => [`view:${id}`],
    changes: () => [{ type: 'saved_views.changed', data: {} }],
  },
  undo: { changes: () => [...devicesChange(), { type: 'membership.changed', data: {} }] },
};

/** A newer server may have kinds that this tab does not know. */
export const isKnownKind = ({ kind }: Pick<Action, 'kind'>) => kind in effects;

export const effectOf = ({ kind }: Pick<Action, 'kind'>) => effects[kind] as ActionEffect<ActionKind>;
