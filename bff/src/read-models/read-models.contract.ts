/** The types of the lists, the map and the inbox of the web app. Not validated, because only the server makes them. */
import type { Invitation, InvitationRole } from '../core/contract/invitations.schema.ts';
import type { Presence, PresenceState, Refusals } from '../core/contract/presence.schema.ts';
import type { MachineType, Position, Resource } from '../core/contract/resources.schema.ts';
import type { MemberRole } from '../core/contract/swarms.schema.ts';

declare module '../core/contract/answers.ts' {
  interface Answers {
    '/api/devices': DevicePage;
    '/api/devices/:id': Device | Member;
    '/api/devices/by-id': Device[];
    '/api/inbox': InvitationPage;
    '/api/inbox/:id': InvitationItem;
    '/api/inbox/count': InboxCount;
    '/api/map': MapView;
    '/api/swarm-list': SwarmList;
    '/api/swarms/:id/board': InvitationPage;
    '/api/swarms/:id/flow': SwarmFlow;
    '/api/swarms/:id/members': MemberPage;
    '/api/swarms/:id/overview': SwarmItem;
    '/api/values/keys': ValueKeys;
    '/api/wall': WallView;
  }
}

/**
 * The filters of the map and the list of devices, with the names of the query parameters of the API and of the app's
 * URLs.
 */
export interface DeviceFilters {
  /** `own`, `swarm:<id>` (its members), or `visible` (everything the caller may see, each device once). */
  audience: string;
  /**
   * Words in any order, ignoring case, accents and punctuation (search-text.ts). Each must match the name or the
   * description, or, from eight characters on, the beginning of the id. Beyond own devices it may match the owner's
   * name.
   */
  q?: string;
  machine_type?: MachineType[];
  /** The role in the swarm, only with `swarm:<id>`. `both` is a separate role here. */
  resource_type?: MemberRole[];
  presence?: PresenceState[];
  /** A swarm's id, or `none`. */
  swarm?: string;
  /** The id of a swarm: only devices that are not in it. Only in lists. */
  not_in?: string;
  placed?: 'yes' | 'no';
  /** Own devices of which a request was refused. */
  refused?: 'yes';
  /** The id of an action of the caller: only the devices among its items. It shows none after 30 days, or after a day if it has one item. */
  action?: string;
  /** west, south, east, north in degrees; west > east crosses the antimeridian. */
  bbox?: [number, number, number, number];
  /**
   * The key of a number: only devices whose last one the caller may read, from `value_from` to `value_to`. Of devices that record their values; up
   * to ten seconds old.
   */
  value?: string;
  value_from?: number;
  value_to?: number;
}

/** The last values of a device that the caller may read, by the keys of the query `values`. */
export type LastValues = Record<string, { value: number | string | boolean; at: string }>;

/** `GET /api/values/keys?audience=`: the keys of up to 1,000 devices of the audience that record their values, those of most devices first. */
export interface ValueKeys {
  keys: { key: string; kind: 'number' | 'state'; count: number }[];
}

/**
 * The last two only with `swarm:<id>`. `-heard`: those that were never heard are last. `near`: the nearest to a point first, then
 * those without a position. `value`: the least first, only with the filter `value`.
 */
export type DeviceSort =
  | 'name'
  | '-changed'
  | '-created'
  | '-heard'
  | 'near'
  | 'value'
  | '-value'
  | 'owner'
  | '-joined';

/** A row of the device list: the resource with its swarms. */
export interface Device extends Resource {
  /** `modified_at`, or `created_at` if there was no update. */
  changed_at: string;
  presence: Presence;
  /**
   * Only of one device, from `GET /api/devices/:id`: the seconds within which it is expected to be heard. `swarm`: the one that sets this
   * time, as the device has none of its own. Absent if there is none, or if a swarm sets it whose members the caller does not see.
   */
  expected?: { every: number; swarm?: { id: string; name: string } };
  /**
   * What the phone last said about itself, to its owner: the charge of its battery in percent and its speed in km/h.
   */
  phone?: { battery?: number; speed?: number };
  /** To its owner: what was refused. Absent if nothing was. */
  refusals?: Refusals;
  /** Only those that the query asks for with `values`, up to four keys. */
  values?: LastValues;
  swarms: { id: string; name: string; resource_type: MemberRole }[];
}

/** `GET /api/devices`. */
export interface DevicePage {
  items: Device[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
  /** The number of matching devices before this page. Only if the request had `around` or `offset`. */
  offset?: number;
  /** The number of matching devices. */
  total: number;
  /** The server's time, for ages. */
  at: string;
  /** The number of matches of each chip, ignoring the filters of its own group. */
  facets: {
    /** Without filters. */
    all: number;
    machine_type: Record<MachineType, number>;
    presence: Record<PresenceState, number>;
    no_swarm: number;
    unplaced: number;
    /** Absent if it is 0. */
    refused?: number;
    swarms: { id: string; name: string; count: number }[];
  };
  /**
   * Only with `counts=later`, if own devices are filtered by type at most and the counts are not known yet: the
   * progress from 0 to 1. All counts are 0 then.
   */
  building?: number;
}

/** A device as a member of a swarm. */
export interface Member extends Device {
  resource_type: MemberRole;
  member_since: string;
  /** When the membership ends, if it has an end. */
  ends_at?: string;
  /** The latest end that the owner of the device may set. */
  ends_at_most?: string;
  /** Only for an own device: links of the swarm show it. */
  shown_by_links?: true;
}

/** `GET /api/swarms/:id/members`, with the query of the list except `audience`. Equal to the list with `swarm:<id>`. */
export interface MemberPage extends DevicePage {
  items: Member[];
  facets: DevicePage['facets'] & { resource_type: Record<MemberRole, number> };
}

/** A symbol of `GET /api/map`: a GeoJSON feature, a cluster or a single device. */
export interface MapFeature {
  type: 'Feature';
  /** Stable across updates: the cell's key, or the device's id. */
  id: string;
  geometry: { type: 'Point'; coordinates: [number, number] };
  properties:
    | {
        cluster: true;
        point_count: number;
        by_type: Record<MachineType, number>;
        /** Only if the audience is a swarm. */
        by_role?: Record<MemberRole, number>;
        by_presence: Record<PresenceState, number>;
        newest: string;
        /** With `values`: of the numbers of the first key. Absent if there are none. */
        value?: { count: number; min: number; max: number; mean: number };
        /** west, south, east, north of its devices. Both corners are equal if all devices are at one spot. */
        bbox: [number, number, number, number];
      }
    | {
        cluster: false;
        id: string;
        name: string;
        machine_type: MachineType;
        /** Only if the audience is a swarm. */
        resource_type?: MemberRole;
        changed_at: string;
        /** `heard_at` is that of the response: the version of the map does not change with it. */
        presence: Presence;
        /** Only those that the query asks for with `values`. */
        values?: LastValues;
      };
}

/** `GET /api/map?bbox=w,s,e,n&zoom=z` with the filters of the list. */
export interface MapView {
  type: 'FeatureCollection';
  features: MapFeature[];
  /** All matches, inside and outside the view. `bounds` are their positions. */
  total: number;
  unplaced: number;
  version: string;
  bounds: [number, number, number, number] | null;
  /** The progress from 0 to 1 while the index is built for the first time. All other fields are empty then. */
  building?: number;
}

/**
 * `GET /api/wall?audience=`: the counts of all devices of an audience, independent of the map's filters. `GET
 * /api/devices/:id?audience=` is one of them: a Device, or a Member of the swarm.
 */
export interface WallView {
  total: number;
  unplaced: number;
  machine_type: Record<MachineType, number>;
  /** Only if the audience is a swarm. */
  resource_type?: Record<MemberRole, number>;
  presence: Record<PresenceState, number>;
  /** The number of devices that changed in the minute before `at`. */
  changed: number;
  /** The time of the last change; null if there was none. */
  newest: string | null;
  /** Server time of the answer. */
  at: string;
  /** As in a MapView: the progress while there are no counts yet. */
  building?: number;
}

/** The fields of a swarm for every user who can see that it exists. */
interface SwarmCard {
  id: string;
  user_id: string;
  name: string;
  description: string;
  public: boolean;
  /** With memberships that have ended and are not deleted yet: for about a second. */
  member_count: number;
}

/** A swarm for a list or the head of its page. */
export interface SwarmItem extends SwarmCard {
  /** In the directory of public swarms. */
  listed: boolean;
  created_at: string;
  /** When a device last joined a public swarm, or its owner last changed a setting. Null if it is not public. */
  active_at: string | null;
  /** The caller's relation; `guest`: has an open invitation to it, is asked to manage or watch it, or it is public. */
  relation: 'owner' | 'manager' | 'watcher' | 'member' | 'guest';
  /** For its owner, managers, watchers and members. `changed_at`: the last change of a member; null if there is none. */
  members: {
    machine_type: Record<MachineType, number>;
    resource_type: Record<MemberRole, number>;
    changed_at: string | null;
  } | null;
  /** Seconds, for members that have none of their own. */
  expected_every?: number;
  /** Whether users can ask to join it while it is public, and whether the caller can do so now. */
  accepts_requests: boolean;
  may_ask: boolean;
  /** The caller's own devices in the swarm, by role. */
  own: Record<MemberRole, number>;
  /** Open invitations and requests to join, for its owner and managers. */
  invitations: { new: number; requests: number } | null;
}

/**
 * `GET /api/swarms/:id/flow?resource_id=&code=`: what joining would mean, for users who can see the swarm or have the `code` of
 * a link to it.
 */
export interface SwarmFlow {
  /** Members that send, and members that receive. A member with both roles is in both. */
  producers: number;
  consumers: number;
  /** The messages that the user's own device has sent in the last 24 hours and that are kept. */
  sent: number;
  /** The seconds within which the swarm expects the user's own device to be heard, unless that has a time of its own. */
  expected_every?: number;
  /** Only for the owner of the swarm: how many members its links show. */
  shown?: number;
}

/**
 * `GET /api/swarm-list?q=&relation=owner|manager|member&cursor=&limit=`; `manager`: those that the caller owns or manages.
 * One of them: `GET /api/swarms/:id/overview`, with the service's `ETag`. `q` is words, as in the search for devices. Each
 * must be in the name, the description or the owner's name, or, from eight characters on, begin the id.
 */
export interface SwarmList {
  /** Owned ones first, then those that the caller manages for their owners, then watched ones, then joined ones; each by name. */
  items: SwarmItem[];
  next: string | null;
  total: number;
  /** The counts of all matches of `q`. */
  owned: number;
  managed: number;
  watched: number;
  joined: number;
  at: string;
}

export type InvitationState = Invitation['status'] | 'answered' | 'stale';

/** The filters of lists of invitations, with the names of the query parameters. */
export interface InvitationFilters {
  /** `answered`: accepted or rejected. `stale`: new, and sent before `stale_before` of the response. */
  state?: InvitationState;
  /**
   * Words, as in the search for devices. Each must match the other user's name, the swarm's name, the device's name if
   * the caller can see it, the label if the caller is the sender, or, from eight characters on, the beginning of the
   * device's id.
   */
  q?: string;
  swarm?: string;
  resource?: string;
  /** The link by which the resource joined. */
  link?: string;
  /** Open ones that were sent, and others that were answered, until this time. */
  until?: string;
}

/**
 * The swarm of an invitation. A recipient who may no longer see it gets only the first three fields: `name` is the one
 * when the recipient rejected the invitation, left or was removed.
 */
export type InvitationSwarm = Pick<SwarmCard, 'id' | 'user_id' | 'name'> & Partial<SwarmCard>;

/**
 * An invitation with its swarm and its device. Two for both roles of a device that were sent together are one item while
 * they have the same state. Or a request to join, as if it were an invitation by the user who asks to the owner of the
 * swarm: its device is as it was when the user asked. If the user does not see the swarm any more, `to` and the swarm's
 * `user_id` are empty.
 */
export interface InvitationItem extends Omit<Invitation, 'resource_type' | 'sent_by'> {
  /** The user who sent it: `from` may own the swarm since then. Null if nobody did, or it is not known. */
  sent_by: string | null;
  /** `both` of a request, or with `other_id`. */
  resource_type: MemberRole;
  /** The invitation as consumer, if the item is two: `id` is that as producer. */
  other_id?: string;
  /** It offers a member a later end, or did: no role. */
  is_later_end?: true;
  /** The end that the membership has, for which an open invitation offers a later one: the device is a member. */
  member_ends_at?: string;
  /** The end of the membership to which an open invitation or request adds the other role; null for none. The device is a member. */
  other_role_ends_at?: string | null;
  /** The end that the membership has now, if the invitation was accepted. */
  membership_ends_at?: string;
  /** Never for the recipient: what the sender has been told about the device. It proves nothing. */
  label?: string;
  /**
   * Nobody has sent it: the device joined by a link or, in the list of its swarm only, by a request. The boxes have the request
   * itself.
   */
  joined_by?: 'link' | 'request';
  is_request?: true;
  /**
   * The recipient of this answered invitation no longer owns the device: it was deleted or handed over. An invitation that was open
   * at that time became `rejected`.
   */
  is_former_device?: true;
  /** The time of the answer, or of sending while it is new. Lists are ordered by it, open ones first. */
  changed_at: string;
  swarm: InvitationSwarm;
  /**
   * Null for the owner if the device is destroyed. Null for the sender if they cannot see the device: they can while it
   * is in a swarm that they own, manage or have a device in.
   */
  device: { name: string; machine_type: MachineType; position?: Position } | null;
}

/** The counts of all matches of the other filters, as items of the list. `stale` ones are also counted as new. */
export type InvitationCounts = Record<Invitation['status'] | 'stale', number>;

/** `GET /api/inbox?box=received|sent`, and `GET /api/swarms/:id/board` for the swarm's owner. */
export interface InvitationPage {
  /** Open ones first, newest first; then answered ones, latest answer first. */
  items: InvitationItem[];
  next: string | null;
  total: number;
  counts: InvitationCounts;
  stale_before: string;
  at: string;
}

/** `GET /api/inbox/count`. */
export interface InboxCount {
  /** The devices that the caller is offered, and the swarms that the caller is asked to manage, to watch or to own. */
  offers: number;
  received: InvitationCounts;
  sent: InvitationCounts;
  at: string;
}

/** `GET /api/inbox/summary`, with the filters of the inbox: the swarms and devices of all matches. */
export interface InboxSummary {
  total: number;
  /** The number of distinct devices. */
  devices: number;
  swarms: (InvitationSwarm & Record<InvitationRole, number>)[];
  at: string;
}
