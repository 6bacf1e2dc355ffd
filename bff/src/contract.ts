/**
 * The wire: every shape that crosses HTTP, as zod schemas, with the names the spec gives them.
 * A leaf: it imports nothing of ours but the limits. The web app and the end-to-end tests import its types only,
 * so that no zod reaches a browser.
 */
import { z } from '@hono/zod-openapi';
import { codePoints, limits, machineTypes, memberRoles, visible } from './limits.ts';

export { codePoints, limits, machineTypes, memberRoles };

const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .openapi({ format: 'date-time', example: '2026-01-02T03:04:05.678Z' });
const id = z.string().openapi({ example: '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10' });
const userName = z.string().openapi({ example: 'harbour-ops' });

const name = z
  .string()
  .check((context) => {
    const issue = (message: string) => context.issues.push({ code: 'custom', message, input: context.value });
    if (codePoints(context.value) > limits.nameLength) issue(`at most ${limits.nameLength} characters`);
    if (!visible.test(context.value)) issue('at least one visible character');
  })
  .openapi({ minLength: 1, maxLength: limits.nameLength, example: 'Greenhouse sensor 3' });
const description = z
  .string()
  .refine((text) => codePoints(text) <= limits.descriptionLength, `at most ${limits.descriptionLength} characters`)
  .openapi({ maxLength: limits.descriptionLength });

export const position = z
  .strictObject({
    // adding 0 turns -0 into 0
    longitude: z
      .number()
      .min(-180)
      .max(180)
      .overwrite((value) => value + 0),
    latitude: z
      .number()
      .min(-90)
      .max(90)
      .overwrite((value) => value + 0),
  })
  .openapi('Position');

export const resource = z
  .strictObject({
    id,
    user_id: userName,
    name,
    machine_type: z.enum(machineTypes),
    description: description.optional(),
    position: position.optional(),
    created_at: timestamp,
    modified_at: timestamp.optional(),
  })
  .openapi('Resource');

export const resourceCreate = z
  .strictObject({
    name,
    machine_type: z.enum(machineTypes),
    description: description.optional(),
    position: position.optional(),
  })
  .openapi('ResourceCreate');

/** Read-only fields may come along when they equal what is stored: programs read, change and put back. */
export const resourceUpdate = z
  .strictObject({
    name: name.optional(),
    machine_type: z.enum(machineTypes).optional(),
    description: description.nullable().optional(),
    position: position.nullable().optional(),
    id: z.string().optional(),
    user_id: z.string().optional(),
    created_at: z.string().optional(),
    modified_at: z.string().optional(),
  })
  .openapi('ResourceUpdate');

export const swarmMember = z
  .strictObject({ resource_id: id, resource_type: z.enum(memberRoles), user_id: userName, url: z.string() })
  .openapi('SwarmMember');

export const swarm = z
  .strictObject({
    id,
    user_id: userName,
    name,
    description: z.string(),
    created_at: timestamp,
    public: z.boolean(),
    resources: z.array(swarmMember),
  })
  .openapi('Swarm');

const role = z.enum(memberRoles);

/** Our extension: a swarm as whoever may not see its members sees it, with their number in their place. */
export const swarmSummary = z
  .strictObject({ ...swarm.shape, resources: z.array(swarmMember).max(0), member_count: z.int() })
  .openapi('SwarmSummary');

const ownMember = z.strictObject({ resource_id: z.string(), resource_type: role });

export const swarmCreate = z
  .strictObject({
    name,
    description,
    public: z.boolean().optional(),
    resources: z.array(ownMember).max(500).optional(),
  })
  .openapi('SwarmCreate');

/** Read-only fields may come along when they equal what is stored. */
export const swarmUpdate = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    public: z.boolean().optional(),
    id: z.string().optional(),
    user_id: z.string().optional(),
    created_at: z.string().optional(),
    resources: z.array(z.unknown()).optional(),
  })
  .openapi('SwarmUpdate');

export const memberAdd = ownMember.openapi('MemberAdd');
export const listedMember = z.strictObject({ ...swarmMember.shape, member_since: timestamp }).openapi('ListedMember');

/** Read-only fields may come along when they equal what is stored. */
export const memberUpdate = z
  .strictObject({
    resource_type: role,
    resource_id: z.string().optional(),
    user_id: z.string().optional(),
    url: z.string().optional(),
    member_since: z.string().optional(),
  })
  .openapi('MemberUpdate');

export const invitationRoles = ['consumer', 'producer'] as const;
export const invitationStates = ['new', 'accepted', 'rejected'] as const;

export const invitation = z
  .strictObject({
    id,
    from: userName,
    to: userName,
    swarm_id: id,
    resource_id: id,
    resource_type: z.enum(invitationRoles),
    description: description.optional(),
    sent_at: timestamp,
    status: z.enum(invitationStates),
    accepted_at: timestamp.optional(),
    rejected_at: timestamp.optional(),
  })
  .openapi('Invitation');

export const invitationSend = z
  .strictObject({
    to: z.string(),
    resource_id: z.string(),
    resource_type: z.enum(invitationRoles),
    description: description.optional(),
  })
  .openapi('InvitationSend');

/** Read-only fields, all others, may come along when they equal what is stored. */
export const invitationAnswer = z
  .strictObject({
    status: z.enum(['accept', 'reject']),
    id: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    swarm_id: z.string().optional(),
    resource_id: z.string().optional(),
    resource_type: z.string().optional(),
    description: z.string().optional(),
    sent_at: z.string().optional(),
    accepted_at: z.string().optional(),
    rejected_at: z.string().optional(),
  })
  .openapi('InvitationAnswer');

const eventTypes = [
  'resource.created',
  'resource.updated',
  'resource.destroyed',
  'invitation.sent',
  'invitation.received',
  'invitation.updated',
  'invitation.withdrawn',
  'membership.changed',
  'swarm.created',
  'swarm.updated',
  'swarm.destroyed',
] as const;

/** `reset`: what was missed cannot be told any more, the lists are to be read again. Its `data` is empty. */
const streamEventTypes = [...eventTypes, 'reset'] as const;

/**
 * One event of the stream. `data` is the record as the endpoints give it to this caller: `invitation.*` an
 * invitation, `resource.*` a resource, `swarm.*` a swarm (`swarm.updated` without `resources`), `membership.changed`
 * a listed member and `swarm_id`. Where something ended, ids only: `{id}` of what was destroyed, `{id, swarm_id,
 * resource_id}` of an invitation withdrawn, `{swarm_id, resource_id}` of a membership that ended.
 */
export const event = z
  .strictObject({
    id: z.string(),
    type: z.enum(streamEventTypes),
    at: timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .openapi('Event');

/** RFC 9457. `code` is `noun.what_happened`; `pointer` is a JSON pointer into the request body. */
export const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
  })
  .openapi('Problem');

export type MachineType = (typeof machineTypes)[number];
export type MemberRole = (typeof memberRoles)[number];
export type Position = z.infer<typeof position>;
export type Resource = z.infer<typeof resource>;
export type ResourceCreate = z.infer<typeof resourceCreate>;
export type ResourceUpdate = z.infer<typeof resourceUpdate>;
export type SwarmMember = z.infer<typeof swarmMember>;
export type Swarm = z.infer<typeof swarm>;
export type SwarmSummary = z.infer<typeof swarmSummary>;
export type SwarmCreate = z.infer<typeof swarmCreate>;
export type SwarmUpdate = z.infer<typeof swarmUpdate>;
export type ListedMember = z.infer<typeof listedMember>;
export type Invitation = z.infer<typeof invitation>;
export type InvitationSend = z.infer<typeof invitationSend>;
export type InvitationRole = (typeof invitationRoles)[number];
export type EventType = (typeof eventTypes)[number];
export type StreamEventType = (typeof streamEventTypes)[number];
export type Event = z.infer<typeof event>;
export type Problem = z.infer<typeof problem>;

/** What the map and the list of devices are filtered by: the query names of both, and of the app's own URLs. */
export interface DeviceFilters {
  /** `own`, `swarm:<id>` (its members), or `visible` (everything the caller may see, each device once). */
  audience: string;
  /**
   * Matches name, description and, from eight characters on, the start of the id, caseless; beyond own devices
   * their owner's name too.
   */
  q?: string;
  machine_type?: MachineType[];
  /** Only with `swarm:<id>`: the role there. `both` is a role of its own here. */
  resource_type?: MemberRole[];
  /** A swarm's id, or `none`. */
  swarm?: string;
  placed?: 'yes' | 'no';
  /** west, south, east, north in degrees; west > east crosses the antimeridian. */
  bbox?: [number, number, number, number];
}

/** The last two only with `swarm:<id>`. */
export type DeviceSort = 'name' | '-changed' | '-created' | 'owner' | '-joined';

/** One row of the device list: the resource, and what a screen shows beside it. */
export interface Device extends Resource {
  /** `modified_at`, or `created_at` where there was no update yet. */
  changed_at: string;
  swarms: { id: string; name: string; resource_type: MemberRole }[];
}

/** `GET /api/devices`. */
export interface DevicePage {
  items: Device[];
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** How many devices match the filters. */
  total: number;
  /** Server time of the answer, for ages. */
  at: string;
  /** Each count is what the chip would leave: every other filter applied, its own group not. */
  facets: {
    /** Without any filter. */
    all: number;
    machine_type: Record<MachineType, number>;
    no_swarm: number;
    unplaced: number;
    swarms: { id: string; name: string; count: number }[];
  };
  /**
   * Only where `counts=later` was asked for, and nothing is filtered but types of own devices: the rows are these, and
   * so much of what the counts come from is read, from 0 to 1. All of them are 0 then; ask again.
   */
  building?: number;
}

/** A device as a member of the swarm that is looked at. */
export interface Member extends Device {
  resource_type: MemberRole;
  member_since: string;
}

/** `GET /api/swarms/:id/members`, with the query of the list but for `audience`; the same as with `swarm:<id>` there. */
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
        /** Where the audience is a swarm. */
        by_role?: Record<MemberRole, number>;
        newest: string;
        /** west, south, east, north of what is inside; all devices at one spot when both corners are equal. */
        bbox: [number, number, number, number];
      }
    | {
        cluster: false;
        id: string;
        name: string;
        machine_type: MachineType;
        /** Where the audience is a swarm. */
        resource_type?: MemberRole;
        changed_at: string;
      };
}

/**
 * `GET /api/map?bbox=w,s,e,n&zoom=z` and the filters of the list.
 *
 * `GET /api/map/density?bbox=w,s,e,n&width=&height=` and the same filters, for a map that draws every device as a dot:
 * `width` x `height` bytes (each at most 2048), row by row from the north-west in Web Mercator, each the number of
 * devices in that pixel, 255 for as many and more. 202 without a body: not yet, ask again.
 */
export interface MapView {
  type: 'FeatureCollection';
  features: MapFeature[];
  /** All that match the filters, in view or not; `bounds` is where they are. */
  total: number;
  unplaced: number;
  version: string;
  bounds: [number, number, number, number] | null;
  /**
   * There while so many devices are read for the first time that there is nothing to show yet: how much of that is
   * done, from 0 to 1. All else is empty then; ask again.
   */
  building?: number;
}

/**
 * `GET /api/tiles`: tiles to draw over the built-in map; null where the operator has named no tile server.
 *
 * `GET /api/tiles/:z/:x/:y` is one of them, a picture of 256 pixels, `:y@2x` one of 512: PNG, JPEG, WebP or AVIF. 404
 * `tile.not_found`: the server has none there; 503 `tile.away`: not now; 429 `rate.exceeded`. The last two say when to
 * ask again.
 */
export interface MapTiles {
  /** Of the server they come from. */
  host: string;
  /** Text, and perhaps the address of a page that says more. */
  attribution: { text: string; url?: string };
  /** Whether there are tiles for fine screens. */
  fine: boolean;
}

/**
 * `GET /api/wall?audience=`: what a wall says of all devices of an audience, whatever its map shows of them.
 * `GET /api/devices/:id?audience=` is one of them, a Device, or a Member of the swarm.
 */
export interface WallView {
  total: number;
  unplaced: number;
  machine_type: Record<MachineType, number>;
  /** Where the audience is a swarm. */
  resource_type?: Record<MemberRole, number>;
  /** How many changed within a minute before `at`. */
  changed: number;
  /** When the last change of all was; null: there was none. */
  newest: string | null;
  /** Server time of the answer. */
  at: string;
  /** As in a MapView: nothing to say yet. */
  building?: number;
}

/**
 * `GET /api/events?watch=own,visible,swarm:<id>&resource=<id>,<id>&last_event_id=`: the events of the service, but for
 * positions. These are told for `resource` alone; of a map that is watched (default: `own`) it is told that it changed,
 * and `version` is another one each time. `last_event_id` stands in for the header. How far a browser has got it is told
 * by events named `mark`, without data.
 */
export type GatewayEvent =
  | Event
  | { id: string; type: 'map.changed'; at: string; data: { audience: string; version: string } };

export type InvitationState = Invitation['status'] | 'answered' | 'stale';

/** What lists of invitations are filtered by: the query names of inbox and board. */
export interface InvitationFilters {
  /** `answered`: accepted or rejected. `stale`: new, and sent before `stale_before` of the answer. */
  state?: InvitationState;
  /**
   * Matches the other side's user name, the swarm's name, the device's name where the caller may see it and, from
   * eight characters on, the start of its id, caseless.
   */
  q?: string;
  swarm?: string;
  resource?: string;
}

/** A swarm as whoever knows of it may see it. */
export interface SwarmCard {
  id: string;
  user_id: string;
  name: string;
  description: string;
  public: boolean;
  member_count: number;
}

/** An invitation, and what a screen shows beside it. */
export interface InvitationItem extends Invitation {
  /** When it was answered; sent, while it is new. What lists are ordered by, open ones first. */
  changed_at: string;
  swarm: SwarmCard;
  /**
   * Null for its owner: it is destroyed. Null for the sender: it is not theirs to see, which it is while the device
   * is in a swarm that the sender owns or has a device in.
   */
  device: { name: string; machine_type: MachineType; position?: Position } | null;
}

/** Of all that match the other filters. `stale` ones are among the new. */
export type InvitationCounts = Record<Invitation['status'] | 'stale', number>;

/** `GET /api/inbox?box=received|sent`, and `GET /api/swarms/:id/board` for the swarm's owner. */
export interface InvitationPage {
  /** Open ones first, the newest first; then by answer, the last first. */
  items: InvitationItem[];
  next: string | null;
  total: number;
  counts: InvitationCounts;
  stale_before: string;
  at: string;
}

/** `GET /api/inbox/count`. */
export interface InboxCount {
  received: InvitationCounts;
  sent: InvitationCounts;
  at: string;
}

/** `GET /api/inbox/summary`, with the filters of the inbox: what answering all that match is about. */
export interface InboxSummary {
  total: number;
  /** Each once, also where it is asked for twice. */
  devices: number;
  swarms: (SwarmCard & Record<InvitationRole, number>)[];
  at: string;
}

/** A swarm as its row in a list, or the head of its page, shows it. */
export interface SwarmItem extends SwarmCard {
  created_at: string;
  /** What the caller is to it; `guest`: invited to it, or it is public. */
  relation: 'owner' | 'member' | 'guest';
  /** For its owner and members. `changed_at`: the last change of one of them; null where there is none. */
  members: {
    machine_type: Record<MachineType, number>;
    resource_type: Record<MemberRole, number>;
    changed_at: string | null;
  } | null;
  /** The caller's own devices in it, by role. */
  own: Record<MemberRole, number>;
  /** Sent and open, for its owner; `stale` as on the board. */
  invitations: { new: number; stale: number } | null;
}

/**
 * `GET /api/swarm-list?q=&relation=owner|member&cursor=&limit=`; one of them: `GET /api/swarms/:id/overview`, with
 * the service's `ETag`. `q` matches name, description, owner and, from eight characters on, the start of the id.
 */
export interface SwarmList {
  /** Owned ones first, then by name. */
  items: SwarmItem[];
  next: string | null;
  total: number;
  /** Of all that match `q`. */
  owned: number;
  joined: number;
  at: string;
}

/**
 * A filter and a map view that its user keeps under a name. `url` is the app's own, from the first slash on: `/`,
 * `/map` or `/swarms/<id>/map` with parameters of that page, in one order and none that says nothing.
 */
export interface SavedView {
  id: string;
  name: string;
  url: string;
  /** Those that `url` names, as far as the caller sees them. */
  swarms: { id: string; name: string }[];
  created_at: string;
  updated_at: string;
}

/** `GET /api/saved-views`; POST `{name, url}` (201), PUT `/api/saved-views/:id` `{name?, url?}`, DELETE (204). */
export interface SavedViews {
  /** By name. */
  items: SavedView[];
  /** How many there may be. */
  limit: number;
}

/** `GET /api/demo`: what was made for the caller to look at and is still there. */
export interface Demo {
  there: boolean;
  /** Names of users who cannot sign in, and have devices and swarms of their own. */
  partners: string[];
  /** Ids of the caller's own. */
  resources: string[];
  swarms: string[];
}

/** `GET /api/account`. */
export interface Account {
  user_id: string;
  created_at: string;
  resources: number;
  swarms_owned: number;
  /** When this session ends if it is not used. */
  session_expires_at: string;
}

/** A key as it is listed: never the key itself. `last_used_on` is a day, `2026-01-02`. */
export interface ApiKey {
  id: string;
  name: string;
  ends_in: string;
  created_at: string;
  last_used_on?: string;
}

/** The answer to creating a key: the only time it is shown. */
export interface CreatedApiKey extends ApiKey {
  key: string;
}

export interface Session {
  id: string;
  user_agent: string;
  created_at: string;
  active_at: string;
  current: boolean;
}
