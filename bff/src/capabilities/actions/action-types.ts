/** What a user does to one or to many records. The server executes it; every tab of the user shows it. */
import type { recordedFields } from '../../core/limits/field-rules.ts';
import type { InvitationRole } from '../../core/contract/invitations.schema.ts';
import type {
  MachineType,
  ResourceChange,
  ResourceCreate,
  ResourceUpdate,
} from '../../core/contract/resources.schema.ts';
import type { MemberRole } from '../../core/contract/swarms.schema.ts';

/** A swarm, with the name that is shown. */
export interface ActionSwarm {
  id: string;
  name: string;
}

/** A record, with the name that is shown. The client sends the name; the server only returns it. */
export interface NamedItem {
  id: string;
  name: string;
}

/** `other_id`: of the invitation for the other role, if both are one row of the list. */
interface InvitationAsItem extends NamedItem {
  other_id?: string;
}

export type RecordedField = (typeof recordedFields)[number];

/** Each kind of action: what all of its items share (`about`), and an item. */
export interface ActionKinds {
  /**
   * `ends_at`, `shown_by_links`: the terms of the user who accepts; not for requests. `id`: of the invitation or, with `is_request`, of the request to join. `name`: of the device.
   * `ends_at` of an item: the end that was offered when the user read it. It is not accepted for longer. `is_later_end`: as in the inbox, for
   * the words of the action.
   */
  answer: {
    about: { answer: 'accept' | 'reject'; ends_at?: string; shown_by_links?: true };
    item: InvitationAsItem & { swarm: string; ends_at?: string; is_request?: true; is_later_end?: true };
  };
  /** Sent invitations; `name`: of the recipient. With `is_request`, requests to join; `name`: of the device. */
  withdraw: { about: object; item: InvitationAsItem & { is_request?: true; is_later_end?: true } };
  invite_again: { about: object; item: InvitationAsItem };
  /** `line`: of the pasted text. `label`: of the code. */
  invite: {
    about: { swarm: ActionSwarm; description?: string; ends_at?: string };
    item: { line: number; to: string; resource_id: string; resource_type: MemberRole; label?: string };
  };
  /** `id` is that of the device in the next five. */
  add_member: {
    about: { swarm: ActionSwarm; resource_type: MemberRole; shown_by_links?: true };
    item: NamedItem;
  };
  change_role: { about: { swarm: ActionSwarm; resource_type: MemberRole }; item: NamedItem };
  /** A member with both roles keeps this one. */
  narrow_role: { about: { swarm: ActionSwarm; resource_type: InvitationRole }; item: NamedItem };
  /** Also leaving a swarm with one's own devices. */
  remove_member: { about: { swarm: ActionSwarm }; item: NamedItem };
  /** Own members whose end is `ends_at` stay a day longer, or as long as the swarm offers. Another end is kept. */
  extend_member: { about: { swarm: ActionSwarm; ends_at: string }; item: NamedItem };
  /** The owner of the swarm, or a manager, offers the owners of members with an end a later one. `id`: of the device. */
  offer_end: { about: { swarm: ActionSwarm; ends_at: string }; item: NamedItem };
  /**
   * `file`: its name. `line`: in the file. The server makes the id of a device that is created. A device that was changed
   * after `changed_at` is not updated.
   */
  import: {
    about: { file: string; hash: string };
    item:
      | { line: number; name: string; create: ResourceCreate; id?: string }
      | { line: number; name: string; id: string; update: ResourceUpdate; changed_at?: string };
  };
  update: {
    about: { machine_type?: MachineType; description?: string | null; expected_every?: number | null };
    item: NamedItem;
  };
  /**
   * What the user has changed of one device, in the app. The server stores it, already ended, so that it can be put back. `begins`: what is
   * recorded of the device since then. The undo deletes it.
   */
  edit: { about: ResourceChange; item: NamedItem & { begins?: RecordedField[] } };
  delete: { about: object; item: NamedItem };
  delete_swarm: { about: object; item: NamedItem };
  /** The inverse of an ended action, with its items. Started by `POST /actions/{id}/undo`. */
  undo: { about: { action: string; kind: ActionKind; of: object }; item: NamedItem };
}

export type ActionKind = keyof ActionKinds;
export type ActionItem<Kind extends ActionKind = ActionKind> = ActionKinds[Kind]['item'];

/** Null for success, or a problem. */
export type ActionResult = null | { code: string; detail?: string; errors?: { pointer: string; code: string }[] };

/**
 * `uploading`: its parts are being sent. `pending`: it starts at `runs_at`, and can be undone until then. `paused`: by
 * the user. `ended`: items without a result were not executed, because the user has stopped it.
 */
export type ActionState = 'uploading' | 'pending' | 'running' | 'paused' | 'ended';

/** An action of one kind; `Action` is any of them. */
export interface ActionOf<Kind extends ActionKind> {
  id: string;
  kind: Kind;
  about: ActionKinds[Kind]['about'];
  state: ActionState;
  total: number;
  /** Items with a result; those that failed are among them. */
  done: number;
  failed: number;
  /** Of an undo, of those that failed: left as they are, wholly or in part, because they had changed since. Absent for none. */
  kept?: number;
  /** Items that it has changed; neither those that failed nor those that were already as wanted. */
  changed: number;
  runs_at: string | null;
  created_at: string;
  ended_at: string | null;
  /** The server's store cannot be used right now; the action goes on by itself. */
  is_waiting: boolean;
  /** It is paused because the database was restored from a backup: the user may have stopped it since that was made. */
  is_restored?: true;
  /** It has ended, and its inverse can be started (until 30 days after; a day if it has one item). */
  can_undo: boolean;
  /** The action that has undone it. */
  undone_by: string | null;
  /** The action that has tried its failed items again, or does. They are not tried another time. */
  retried_by?: string;
  /**
   * In their order, of an action with at most `actionLimits.itemsShown` items; in a list, of the newest ones with
   * `actionLimits.itemsListed` in all, unless their texts are too long. `results` are only there once it has ended.
   */
  items?: ActionKinds[Kind]['item'][];
  results?: ActionResult[];
}
export type Action = { [Kind in ActionKind]: ActionOf<Kind> }[ActionKind];

/** Which records of a list an action concerns: those that match when it is started, except some. */
export type ActionFilter = (
  | { list: 'devices' }
  | { list: 'members'; swarm_id: string }
  /** Own members whose end is `ends_at` in the query. */
  | { list: 'ending_members'; swarm_id: string }
  /** The query names the box. */
  | { list: 'invitations' }
) & {
  /** The query of the list's endpoint, without its page. */
  query: string;
  except?: string[];
};

/**
 * `POST /api/actions`. `id`: a UUID that the client makes, so that it can send the request again. `wait`: seconds until
 * it runs (0 to 60). `items`: up to `actionLimits.part`, in a body of 64 KiB. With `filter`, the server reads the items; `expected` is the
 * number that the user has confirmed. With `total`, the parts are uploaded next.
 */
export type ActionStart<Kind extends ActionKind = ActionKind> = {
  [K in Kind]: { id: string; kind: K; about: ActionKinds[K]['about']; wait: number } & (
    | { items: ActionKinds[K]['item'][] }
    | { filter: ActionFilter; expected: number }
    | { total: number }
  );
}[Kind];

/**
 * `POST /api/actions/{id}/undo`. `items`: the ids of up to `actionLimits.removedAtOnce` items to remove from a pending action; without
 * it, all. They are
 * not indexes, because another tab may remove items at the same time. `id`: of the inverse action, if it has ended.
 */
export interface ActionUndo {
  items?: string[];
  id?: string;
}

/** `POST /api/actions/{id}/retry`. `id`: of the action with the failed items. If these were tried again before, the response has that action. */
export interface ActionRetry {
  id?: string;
}

/** `GET /api/actions`: those that were not dismissed, newest first. */
export interface ActionList {
  actions: Action[];
}

/** `GET /api/actions/history?cursor=&resource_id=`: all ended ones, or those of this device alone, newest first. Only those of one item have it. */
export interface ActionHistory {
  actions: Action[];
  next: string | null;
}

/**
 * The stream sends `action.changed` with the record of an action that has ended, also if the server dismisses it (all
 * items are done): the client then knows that it was not undone. There is no other event for that.
 */

/** `GET /api/actions/{id}/results?failed=true`, streamed. `name` is that of the item, or its line. */
export interface ActionResults {
  /** `result`: absent if the action was stopped before the item's turn. */
  results: { item: ActionItem; result?: ActionResult }[];
}

type ChangedAction = Omit<Action, 'items' | 'results'> & { is_dismissed: boolean };

declare module '../../core/contract/events.schema.ts' {
  interface GatewayEvents {
    /**
     * An action of the user was started or has changed, without its items; or only its id if it is gone. A stream that
     * continues after an event starts with one that is `resumed`, because any action may have changed meanwhile.
     */
    action: {
      id: string;
      type: 'action.changed';
      at: string;
      data: ChangedAction | { id: string } | { resumed: true };
    };
  }
}
