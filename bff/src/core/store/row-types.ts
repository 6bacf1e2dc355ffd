/** The columns of the tables that several stores or most of a store's statements read, as rows come back. Those of
 * resources are in resource-fields.ts. */
import type { ActivityKind, InvitationRole, MachineType, MemberRole, MessageEncoding } from '../../contract.ts';
import type { KeyScope, ManagerRole } from '../limits/field-rules.ts';
import type { keyKinds } from './key-kinds.ts';

export interface SwarmRow {
  id: string;
  user_id: string;
  name: string;
  description: string;
  public: number;
  /** 1: in the directory. Only a public swarm is. */
  listed: number;
  /** Whether others may ask to join while it is public. */
  accepts_requests: number;
  /** Seconds, for members that have none of their own. */
  expected_every: number | null;
  created_at: string;
  modified_at: string | null;
  version: number;
}

/** A swarm of the directory. */
export interface DirectoryRow {
  swarm_id: string;
  user_id: string;
  name_key: string;
  search_text: string;
  members: number;
  active_at: string;
}

export interface InvitationRow {
  id: string;
  from: string;
  to: string;
  swarm_id: string;
  resource_id: string;
  resource_type: InvitationRole;
  description: string | null;
  /** The owner or a manager of the swarm. Null if it is not known, or the resource joined by a link. */
  sent_by: string | null;
  sent_at: string;
  status: 'new' | 'accepted' | 'rejected';
  accepted_at: string | null;
  rejected_at: string | null;
  created_at: string;
  /** When it was answered; sent, while it is new. Made by the database. */
  changed_at: string;
  /** The swarm's name when the recipient rejected it, the resource left the swarm, or the sender handed the swarm over. */
  last_known_name: string | null;
  /** The end that is offered; null: none. */
  ends_at: string | null;
  /** 1: it was for a role of a member, and offered a later end of the membership, when it was sent; when it was accepted, if it was. */
  is_later_end: number;
  /** What the sender has been told about the resource. */
  label: string | null;
  /** How the device joined, if nobody has sent the invitation: it was stored as accepted. */
  joined_by: 'link' | 'request' | null;
  /** 1: it is shown together with the one for the other role. Made by the database. */
  is_second: number;
}

/** A link by which users join a swarm. */
export interface JoinLinkRow {
  id: string;
  swarm_id: string;
  name: string;
  resource_type: MemberRole;
  expires_at: string | null;
  max_resources: number | null;
  /** How many resources have joined by it. */
  joined: number;
  created_at: string;
  ended_at: string | null;
}

/** A link that shows a device, or members of a swarm, to people without an account. */
export interface ShareLinkRow {
  id: string;
  user_id: string;
  /** Null if it shows a swarm. */
  resource_id: string | null;
  /** Null if it shows a device. */
  swarm_id: string | null;
  name: string;
  /** SHA-256 of its code. */
  hash: Uint8Array;
  shows_track: number;
  expires_at: string;
  created_at: string;
  /** To the minute. Null if nobody has opened it. */
  opened_at: string | null;
  attempt: string | null;
}

/** A user who manages or watches a swarm for its owner, or was asked to. */
export interface ManagerRow {
  swarm_id: string;
  user_id: string;
  role: ManagerRole;
  asked_at: string;
  /** Null: has not agreed yet. */
  agreed_at: string | null;
  /** When the owner offered the swarm to this manager. */
  offered_at: string | null;
  /** The end of a watcher. Null: it has no end. */
  ends_at: string | null;
}

/** A device that its owner offers to another user. */
export interface ResourceOfferRow {
  resource_id: string;
  /** The owner. */
  user_id: string;
  to_user: string;
  /** 1: with its track and its values. */
  with_history: number;
  offered_at: string;
}

/** A user asks to join a swarm with a device. Names are those at that time. */
export interface JoinRequestRow {
  id: string;
  swarm_id: string;
  swarm_name: string;
  /** Who asks. */
  user_id: string;
  resource_id: string;
  resource_name: string;
  machine_type: MachineType;
  resource_type: MemberRole;
  message: string | null;
  asked_at: string;
  /** `withdrawn` ones are kept only to limit how many a user sends. */
  status: 'new' | 'accepted' | 'rejected' | 'withdrawn';
  ended_at: string | null;
  /** The end of the membership that is asked for. */
  ends_at: string | null;
  shown_by_links: number;
}

/** An entry of a user's activity log. Names are those at the time of the action. */
export interface ActivityRow {
  user_id: string;
  seq: number;
  at: string;
  kind: ActivityKind;
  actor: string;
  resource_id: string | null;
  /** Null if the user must not see the name. */
  resource_name: string | null;
  resource_owner: string | null;
  swarm_id: string | null;
  swarm_name: string | null;
  detail: string | null;
  amount: number | null;
}

/** A demo object of a user. The `id` of a partner is its user name. */
export interface DemoRecordRow {
  user_id: string;
  kind: 'partner' | 'resource' | 'swarm';
  id: string;
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  kind: (typeof keyKinds)[keyof typeof keyKinds];
  name: string;
  hash: Uint8Array;
  ends_in: string;
  created_at: string;
  last_used_on: string | null;
  expires_at: string | null;
  /** The only device that the key acts for. */
  resource_id: string | null;
  scope: KeyScope;
  /** The first request of the last day that the scope did not allow, and its operation. */
  refused_at: string | null;
  refused_operation: string | null;
  attempt: string | null;
}

/** What a device has sent to a swarm. `seq` is in the order of the commits. */
export interface MessageRow {
  seq: number;
  /** How many rows of the same message follow. */
  rest: number;
  id: string;
  swarm_id: string;
  sender_id: string;
  /** The only device that receives it. */
  to_id: string | null;
  sent_at: string;
  /** JSON. A string, if it has an encoding. */
  payload: string;
  /** What the string stands for; null: the payload is JSON. */
  encoding: MessageEncoding | null;
  /** JSON: what MQTT 5 knows of it beside its payload. */
  properties: string | null;
  /** The owner of the sender when it was sent, of rows that go to the memory of the hub; null: from before this was stored. */
  user_id?: string | null;
  /** The owner of the receiver, if it is one device. */
  to_user?: string | null;
}

/**
 * What changed. `viewer.changed`: a user may see a swarm's members from now on, or no longer. `account.ended`: the
 * account's records follow in a bulk deletion; what only its owner could see gets no entry of its own.
 */
type FeedKind =
  | 'resource.created'
  | 'resource.updated'
  /** Only the position, or nothing but the time of the change. */
  | 'resource.moved'
  | 'resource.destroyed'
  /** A device is online, offline or silent. */
  | 'presence.changed'
  /** What was refused of a device: only its owner is told. */
  | 'refusals.changed'
  /** A device is offered to another user, or not any more. */
  | 'handover.changed'
  | 'membership.changed'
  | 'viewer.changed'
  | 'swarm.created'
  | 'swarm.updated'
  | 'swarm.destroyed'
  | 'invitation.sent'
  | 'invitation.updated'
  | 'invitation.withdrawn'
  | 'link.changed'
  /** A link that shows a device has another end, or none any more. */
  | 'share_link.changed'
  /** Was asked, has agreed, is offered the swarm, or is no manager any more. */
  | 'manager.changed'
  | 'join_request.changed'
  | 'join_request.withdrawn'
  /** An entry of a user's activity that the user has not caused. `record_id`: its kind. */
  | 'notice.created'
  | 'account.ended'
  /** Keys that were refused are valid again. */
  | 'account.enabled'
  | 'session.changed'
  /** Without a `record_id`: all keys of the owner. */
  | 'key.changed'
  /** The action may be gone. */
  | 'action.changed';

export interface FeedRow {
  /** The order of the commits. */
  seq: number;
  at: string;
  kind: FeedKind;
  /** The owner of the resource, the swarm, the link, the request or the key; who sent the invitation; the viewer; the account. */
  owner: string | null;
  /** The recipient of the invitation; who asks to join; the manager; to whom a device is offered. */
  recipient: string | null;
  ref: number | null;
  resource_id: string | null;
  swarm_id: string | null;
  /** Id of the invitation, request, link, session, key or action. */
  record_id: string | null;
  /** The swarms that a destroyed resource was in, with commas between them. */
  swarms_before: string | null;
  /** The users who could know of a destroyed swarm, with commas between them. */
  users_before: string | null;
  /** 1: a swarm's many members are deleted without an entry for each. */
  is_bulk: number;
}
