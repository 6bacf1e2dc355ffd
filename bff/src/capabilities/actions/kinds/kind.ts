/** What a kind of action is, and the schemas that several kinds share. */
import { z } from '@hono/zod-openapi';
import {
  consentEnd,
  resourceCreate,
  type ActionItem,
  type ActionKind,
  type ActionKinds,
  type MemberRole,
  type ProblemCode,
  type ResourceChange,
} from '../../../contract.ts';
import { limits, memberRoles } from '../../../core/limits/field-rules.ts';
import { Problem } from '../../../core/problem.ts';
import type { DeletedResource } from '../../../core/resources/resources.use-cases.ts';
import type { UseCases } from '../../../core/use-cases.ts';

export type { UseCases };
export type ActionAbout<K extends ActionKind = ActionKind> = ActionKinds[K]['about'];

/** The values that the run of an item replaces, which are stored before its first run. Null if it changes nothing that can be undone. */
export type Before = object | null;

/** An item that is executed. */
export interface ItemRun<K extends ActionKind = ActionKind> {
  userId: string;
  about: ActionAbout<K>;
  item: ActionItem<K>;
  before: Before;
  /** It may have been executed before. */
  isRepeated: boolean;
}

/** Several items of one action. */
export type ItemsOfAction<K extends ActionKind> = Pick<ItemRun<K>, 'userId' | 'about'> & { items: ActionItem<K>[] };

interface RoleBefore {
  resource_type: MemberRole | null;
  /** Only of a member. */
  shown_by_links?: boolean;
}

/** What `before` of a kind returns for an item. */
interface BeforeOf {
  update: ResourceChange;
  edit: ResourceChange;
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
  run(itemRun: ItemRun<K>): Promise<unknown>;
  /** The problems of an item that was executed before. If its run is repeated, it counts as done. */
  doneIfRepeated?: readonly ProblemCode[];
  /** Returns what the items replace, in their order. A kind without it cannot be undone after its end. */
  before?(items: ItemsOfAction<K>): Promise<(B | null)[]>;
  /**
   * Undoes what `run` did. Executed again, it changes nothing more. `mayBeGone`: it is not known whether the item was executed, or undone
   * before, so what it has created may not be there.
   * @throws `action.changed_since` if the record is not as the action left it, `action.partly_undone` if some of its fields are not
   */
  inverse?(itemRun: Omit<ItemRun<K>, 'before' | 'isRepeated'> & { before: B; mayBeGone: boolean }): Promise<unknown>;
  /** Its page shows the result of an action, which therefore stays until the user dismisses it. */
  keepsResult?: boolean;
}

/** What users answer and withdraw in the same lists as invitations: requests to join. */
export interface Requests {
  answer: (answered: { userId: string; id: string; status: 'accept' | 'reject' }) => Promise<unknown>;
  withdraw: (withdrawn: { userId: string; id: string }) => Promise<unknown>;
  /** The problem of one that has ended. */
  notFound: ProblemCode;
}

export type KindsOf<K extends ActionKind> = { [Each in K]: KindOf<Each> };
/** Any kind, whose runs have what its own schemas have accepted. */
export type Kind = KindOf<ActionKind, object>;
export type Kinds = Record<ActionKind, Kind>;

/** An id, or a name that is only shown. */
export const text = z.string().max(limits.textLength);
/** A record, with the name that is shown. */
export const named = z.strictObject({ id: text, name: text });
/** Links of the swarm may show the devices. */
export const shown = { shown_by_links: z.literal(true).exactOptional() };
/** When the membership ends. */
export const end = { ends_at: consentEnd.exactOptional() };
export const ofSwarm = { swarm: named };
export const nothing = z.strictObject({});
export const description = resourceCreate.shape.description.unwrap();
export const role = z.enum(memberRoles);
/** The number of a line of a file, or of a text that was pasted. */
export const line = z.int().min(1);

/** The server makes the actions of this kind. */
export const never = z.custom<never>(() => false);

/** For `catch`: this problem means that there is nothing to do. */
export const ignore = (code: ProblemCode) => (error: unknown) => {
  if (!(error instanceof Problem && error.code === code)) throw error;
};
