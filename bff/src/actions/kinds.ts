/** The kinds of actions: one entry for each says how an item is executed, and how that is undone. */
import { z } from '@hono/zod-openapi';
import {
  expectedEveryOfResource,
  invitationRoles,
  invitationSend,
  resource,
  resourceCreate,
  resourceUpdate,
  type ActionItem,
  type ActionKind,
  type ActionKinds,
  type MemberRole,
  type ProblemCode,
} from '../contract.ts';
import { validBody } from '../sent-body.ts';
import { Problem } from '../problem.ts';
import { limits, machineTypes, memberRoles } from '../limits/field-rules.ts';
import type { DeletedResource, ResourceChange, Service } from '../service/service.ts';

export type ActionAbout<K extends ActionKind = ActionKind> = ActionKinds[K]['about'];

/** What an item's turn replaces, stored with the item before its first turn. Null if it changes nothing that can be undone. */
export type Before = object | null;

/** An item whose turn it is. */
interface ActionTurn<K extends ActionKind = ActionKind> {
  userId: string;
  about: ActionAbout<K>;
  item: ActionItem<K>;
  before: Before;
}

/** Several items of one action. */
type Turns<K extends ActionKind> = Pick<ActionTurn<K>, 'userId' | 'about'> & { items: ActionItem<K>[] };

interface RoleBefore {
  resource_type: MemberRole | null;
}

/** What `before` of a kind returns for an item. */
interface BeforeOf {
  update: ResourceChange;
  import: ResourceChange;
  add_member: RoleBefore;
  change_role: RoleBefore;
  delete: DeletedResource;
}
type BeforeOfKind<K> = K extends keyof BeforeOf ? BeforeOf[K] : object;

interface KindOf<K extends ActionKind, B = BeforeOfKind<K>> {
  about: z.ZodType<ActionAbout<K>>;
  item: z.ZodType<ActionItem<K>>;
  /** Adds the ids of what the item will create. Called once, when the item is stored. */
  withIds?(item: ActionItem<K>): ActionItem<K>;
  /**
   * Executes an item. Executed again after a crash, it changes nothing more.
   * @throws the problems of the endpoint
   */
  run(turn: ActionTurn<K>): Promise<unknown>;
  /** The problems of an item that was executed before. If its turn is repeated, it counts as done. */
  doneIfRepeated?: readonly ProblemCode[];
  /** In the order of the items. A kind without it cannot be undone after its end. */
  before?(turns: Turns<K>): Promise<(B | null)[]>;
  /**
   * Undoes what `run` did. Executed again, it changes nothing more.
   * @throws `action.changed_since` if the record is not as the action left it
   */
  inverse?(turn: Omit<ActionTurn<K>, 'before'> & { before: B }): Promise<unknown>;
  /** Its page shows the result of an action, which therefore stays until the user dismisses it. */
  keepsResult?: boolean;
}

export type Kind = KindOf<ActionKind, object>;
export type Kinds = Record<ActionKind, Kind>;

/** What is stored before the turn of an `undo`: an item of the action that it undoes. */
interface UndoneItem {
  item: ActionItem;
  before: object;
}

/** An id, or a name that is only shown. */
const text = z.string().max(limits.textLength);
const timestamp = resource.shape.created_at;
const description = resourceCreate.shape.description.unwrap();
const named = z.strictObject({ id: text, name: text });
const invitation = named.extend({ other_id: text.exactOptional() });
const label = invitationSend.shape.label.unwrap();
const ofSwarm = { swarm: named };
const ofRequest = { is_request: z.literal(true).exactOptional() };
const role = z.enum(memberRoles);
const nothing = z.strictObject({});
const line = z.int().min(1);
/** The server makes the actions of this kind. */
const never = z.custom<never>(() => false);

export function createKinds({
  useCases,
  removeView,
  newId,
}: {
  useCases: Service['useCases'];
  removeView: (view: { id: string; user_id: string }) => Promise<void>;
  newId: () => string;
}): Kinds {
  /** Null for those that have the role already. */
  async function rolesBefore({ userId, about, items }: Turns<'add_member'>, enough: readonly MemberRole[]) {
    const ids = items.map(({ id }) => id);
    const roles = await useCases.rolesBefore({ userId, swarmId: about.swarm.id, ids });
    return roles.map((role) => (role?.resource_type && enough.includes(role.resource_type) ? null : role));
  }

  const kinds: { [K in ActionKind]: KindOf<K> } = {
    answer: {
      about: z.strictObject({ answer: z.enum(['accept', 'reject']) }),
      item: z.strictObject({ ...invitation.shape, swarm: text, ...ofRequest }),
      run({ userId, about, item: { id, other_id: otherId, is_request } }) {
        const request = { userId, id, sent: validBody({ status: about.answer }) };
        return is_request ? useCases.answerJoinRequest(request) : useCases.answerInvitation({ ...request, otherId });
      },
    },
    withdraw: {
      about: nothing,
      item: z.strictObject({ ...invitation.shape, ...ofRequest }),
      run: ({ userId, item: { id, other_id: otherId, is_request } }) =>
        is_request
          ? useCases.withdrawJoinRequest({ userId, id })
          : useCases.withdrawInvitation({ userId, id, otherId }),
      doneIfRepeated: ['invitation.not_found', 'join_request.not_found'],
    },
    invite_again: {
      about: nothing,
      item: invitation,
      run: ({ userId, item: { id, other_id } }) =>
        useCases.resendInvitation({ userId, id, isPair: other_id !== undefined }),
      doneIfRepeated: ['membership.exists'],
    },
    invite: {
      about: z.strictObject({ ...ofSwarm, description: description.exactOptional() }),
      item: z.strictObject({ line, to: text, resource_id: text, resource_type: role, label: label.exactOptional() }),
      run: ({ userId, about: { swarm, ...message }, item: { line: _line, ...body } }) =>
        useCases.sendInvitation({ userId, swarmId: swarm.id, sent: validBody({ ...body, ...message }) }),
      doneIfRepeated: ['membership.exists'],
      keepsResult: true,
    },
    join: {
      about: z.strictObject({ ...ofSwarm, link: text, pass: text }),
      item: named,
      run: ({ userId, about: { link: linkId, pass }, item: { id } }) =>
        useCases.joinByLink({ userId, linkId, sent: validBody({ pass, resource_id: id }) }),
      doneIfRepeated: ['membership.exists'],
      keepsResult: true,
    },
    ask_to_join: {
      about: z.strictObject({ ...ofSwarm, resource_type: role, message: description.exactOptional() }),
      item: named,
      run: ({ userId, about: { swarm, ...asked }, item: { id } }) =>
        useCases.askToJoin({ userId, swarmId: swarm.id, sent: validBody({ ...asked, resource_id: id }) }),
      doneIfRepeated: ['join_request.exists', 'membership.exists'],
    },
    add_member: {
      about: z.strictObject({ ...ofSwarm, resource_type: role }),
      item: named,
      run: ({ userId, about: { swarm, resource_type }, item: { id } }) =>
        useCases
          .addMember({ userId, swarmId: swarm.id, sent: validBody({ resource_id: id, resource_type }) })
          .catch(ignore('membership.exists')),
      before: (turns) => rolesBefore(turns, [turns.about.resource_type, 'both']),
      inverse: ({ userId, about: { swarm, resource_type }, item: { id }, before }) =>
        useCases.restoreRole({
          userId,
          swarmId: swarm.id,
          id,
          before: before.resource_type,
          after: [null, resource_type].includes(before.resource_type) ? resource_type : 'both',
        }),
    },
    change_role: {
      about: z.strictObject({ ...ofSwarm, resource_type: role }),
      item: named,
      run: ({ userId, about: { swarm, resource_type }, item: { id } }) =>
        useCases.updateMember({ userId, swarmId: swarm.id, id, sent: validBody({ resource_type }) }),
      before: (turns) => rolesBefore(turns, [turns.about.resource_type]),
      inverse: ({ userId, about: { swarm, resource_type }, item: { id }, before }) =>
        useCases.restoreRole({
          userId,
          swarmId: swarm.id,
          id,
          before: before.resource_type,
          after: resource_type,
        }),
    },
    narrow_role: {
      about: z.strictObject({ ...ofSwarm, resource_type: z.enum(invitationRoles) }),
      item: named,
      run: ({ userId, about: { swarm, resource_type }, item: { id } }) =>
        useCases.updateMember({ userId, swarmId: swarm.id, id, sent: validBody({ resource_type }) }),
    },
    remove_member: {
      about: z.strictObject(ofSwarm),
      item: named,
      run: ({ userId, about: { swarm }, item: { id } }) =>
        useCases.removeMember({ userId, swarmId: swarm.id, id }).catch(ignore('membership.not_found')),
      // Who leaves with the last device no longer sees a private swarm.
      doneIfRepeated: ['swarm.not_found'],
    },
    import: {
      about: z.strictObject({ file: text, hash: text }),
      item: z.union([
        z.strictObject({ line, name: text, create: resourceCreate }),
        z.strictObject({ line, name: text, id: text, update: resourceUpdate, changed_at: timestamp.exactOptional() }),
      ]),
      withIds: (item) => ('create' in item ? { ...item, id: newId() } : item),
      run: ({ userId, item }) =>
        'create' in item
          ? useCases.createOnce({ userId, id: item.id!, body: item.create })
          : useCases.updateResource({
              userId,
              id: item.id,
              sent: validBody(item.update),
              skipsIfEqual: true,
              versionOf: ({ record, version }) => {
                const changedAt = record.modified_at ?? record.created_at;
                if (item.changed_at === undefined || changedAt <= item.changed_at) return version;
                throw new Problem('resource.changed', { detail: `was changed after the export, at ${changedAt}` });
              },
            }),
      async before({ userId, items }) {
        const updates = items.map((item) =>
          'create' in item ? { id: '', change: {} } : { id: item.id, change: item.update },
        );
        const fields = await useCases.fieldsBefore({ userId, changes: updates });
        return items.map((item, index) => ('create' in item ? {} : (fields[index] ?? null)));
      },
      inverse: ({ userId, item, before }) =>
        'create' in item
          ? useCases.destroyUnchanged({ userId, id: item.id! })
          : useCases.restoreFields({ userId, id: item.id, after: item.update, before }),
      keepsResult: true,
    },
    update: {
      about: z.strictObject({
        machine_type: z.enum(machineTypes).exactOptional(),
        description: description.nullable().exactOptional(),
        expected_every: expectedEveryOfResource.nullable().exactOptional(),
      }),
      item: named,
      run: ({ userId, about, item: { id } }) =>
        useCases.updateResource({ userId, id, sent: validBody(about), skipsIfEqual: true }),
      before: ({ userId, about, items }) =>
        useCases.fieldsBefore({ userId, changes: items.map(({ id }) => ({ id, change: about })) }),
      inverse: ({ userId, about, item: { id }, before }) =>
        useCases.restoreFields({ userId, id, after: about, before }),
    },
    delete: {
      about: nothing,
      item: named,
      run: ({ userId, item: { id } }) => useCases.destroyResource({ userId, id }),
      doneIfRepeated: ['resource.not_found'],
      before: ({ userId, items }) => useCases.resourcesBefore({ userId, ids: items.map(({ id }) => id) }),
      inverse: ({ userId, before }) => useCases.restoreResource({ userId, before }),
    },
    delete_swarm: {
      about: nothing,
      item: named,
      run: ({ userId, item: { id } }) => useCases.destroySwarm({ userId, id }),
      doneIfRepeated: ['swarm.not_found'],
    },
    delete_view: {
      about: nothing,
      item: named,
      run: ({ userId, item: { id } }) => removeView({ id, user_id: userId }),
      doneIfRepeated: ['saved_view.not_found'],
    },
    undo: {
      about: never,
      item: never,
      async run({ userId, about, before: undone }) {
        const { item, before } = undone as UndoneItem;
        await (kinds[about.kind] as Kind).inverse?.({ userId, about: about.of, item, before });
      },
    },
  };
  return kinds;
}

/** For `catch`: this problem means that there is nothing to do. */
const ignore = (code: ProblemCode) => (error: unknown) => {
  if (!(error instanceof Problem && error.code === code)) throw error;
};

/** Executes an item, or repeats it after a crash. @throws the problem of the item */
export async function runItem(kind: Kind, { isRepeated, ...turn }: ActionTurn & { isRepeated: boolean }) {
  await kind.run(turn).catch((error: unknown) => {
    if (isRepeated && error instanceof Problem && kind.doneIfRepeated?.includes(error.code)) return;
    throw error;
  });
}
