/** The kinds of actions: one entry for each says how an item is executed, and how that is undone. */
import { z } from '@hono/zod-openapi';
import type { ActionItem, ActionKind, ActionKinds } from '../contract.ts';
import { description, text } from '../contract/fields.schema.ts';
import { machineTypes } from '../limits/field-limits.ts';
import type { Service } from '../service/service.ts';
import { Problem } from '../http/problem.ts';
import type { ProblemCode } from '../http/problem.ts';

export type ActionAbout<K extends ActionKind = ActionKind> = ActionKinds[K]['about'];

/** An item whose turn it is. */
export interface ActionTurn<K extends ActionKind = ActionKind> {
  userId: string;
  about: ActionAbout<K>;
  item: ActionItem<K>;
}

/** What an item's turn replaces, stored with the item before its first turn. Null if it cannot be undone. */
export type Before = object | null;

export interface Kind<K extends ActionKind = ActionKind> {
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
  before?(turn: Omit<ActionTurn<K>, 'item'> & { items: ActionItem<K>[] }): Promise<Before[]>;
  /**
   * Undoes what `run` did. Executed again, it changes nothing more.
   * @throws `action.changed_since` if the record is not as the action left it
   */
  inverse?(turn: ActionTurn<K> & { before: object }): Promise<unknown>;
  /** Its page shows the result of an action, which therefore stays until the user dismisses it. */
  keepsResult?: boolean;
}

export type Kinds = Record<ActionKind, Kind>;

const type = z.enum(machineTypes);
const named = z.strictObject({ id: text, name: text });

export function createKinds({ operations }: { operations: Service['operations'] }): Pick<Kinds, 'update'> {
  const kinds: { update: Kind<'update'> } = {
    update: {
      about: z.strictObject({
        machine_type: type.exactOptional(),
        description: description.nullable().exactOptional(),
      }),
      item: named,
      run: ({ userId, about, item: { id } }) =>
        operations.updateResource({ userId, id, body: about, skipsIfEqual: true }),
      before: ({ userId, about, items }) =>
        operations.fieldsBefore({ userId, changes: items.map(({ id }) => ({ id, change: about })) }),
      inverse: ({ userId, about, item: { id }, before }) =>
        operations.restoreFields({ userId, id, after: about, before }),
    },
  };
  return kinds;
}

/** Executes an item, or repeats it after a crash. @throws the problem of the item */
export async function runItem(kind: Kind, { isRepeated, ...turn }: ActionTurn & { isRepeated: boolean }) {
  await kind.run(turn).catch((error: unknown) => {
    if (isRepeated && error instanceof Problem && kind.doneIfRepeated?.includes(error.code)) return;
    throw error;
  });
}
