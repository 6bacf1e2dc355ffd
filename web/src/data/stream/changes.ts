/**
 * Maps each change on the server to the cached queries that it concerns, and to the patches of their data. app/live.ts
 * applies the events of the live stream; the mutations of this app apply the user's own actions.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Invitation, JoinRequest, Resource } from '@swarmdeck/bff/contract';
import { patchDeviceRow, patchResource, removeDeviceRows } from '../cache/cached-devices.ts';
import { applyEnded, applyToRows, type SwarmFields } from '../cache/cached-invitations.ts';
import { addMessages, type NewMessages } from '../cache/cached-messages.ts';
import { distinct, refetchOutdated, type Outdated } from '../cache/query-cache.ts';
import { beginsWith, idIn } from '../cache/key-parts.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { addSent } from '../cache/sent-messages.ts';
import { addLiveValues } from '../values/live-values.ts';

interface ChangeData {
  'resource.created': { id: string };
  'resource.updated': Resource;
  'resource.destroyed': { id: string };
  'map.changed': { audience: string };
  /** Without `swarm_id`: of several swarms. Without `resource_id`: of several devices. */
  'membership.changed': { swarm_id?: string; resource_id?: string };
  'swarm.created': { id: string };
  'swarm.updated': SwarmFields;
  'swarm.destroyed': { id: string };
  'invitation.sent': { swarm_id: string };
  'invitation.received': { swarm_id: string };
  'invitation.updated': Invitation;
  'invitation.withdrawn': { id: string; swarm_id: string };
  'link.changed': { swarm_id: string };
  'join_request.changed': JoinRequest;
  'join_request.withdrawn': { id: string; swarm_id: string };
  /** This user has blocked a user, or does not any more. */
  'blocked_users.changed': { swarm_id: string };
  'manager.changed': { swarm_id: string };
  'presence.changed': { id: string };
  'refusals.changed': { id: string };
  /** A device is offered, or not any more. */
  'handover.changed': { id: string };
  /** This user has taken over a device. */
  'device.taken_over': { id: string };
  'notice.created': object;
  'message.sent': NewMessages;
  /** The stream may have missed events. */
  reset: object;
  /** This user's answers were sent, or a failed one was dismissed. If devices have joined: `membership.changed`. */
  'invitations.changed': object;
  /** This user has created or changed many devices. */
  'devices.changed': object;
  /** This user has created or revoked an API key. */
  'api_keys.changed': object;
  /** This user has changed the webhook, or tested it. */
  'webhook.changed': object;
  'password.changed': object;
  'saved_views.changed': object;
  /** This user has sent a message as an own device. */
  'messages.sent': { resource_id: string };
  /** This user has made new recovery codes. */
  'recovery_codes.changed': object;
  /** This user has unlinked a provider. */
  'identities.changed': object;
  /** This user has added, renamed or removed a passkey. */
  'passkeys.changed': object;
  /** This user has added, changed or removed an email address. */
  'address.changed': object;
  /** This user has set up or removed an authenticator app. */
  'totp.changed': object;
  /** This user has ended a session. */
  'sessions.changed': object;
  /** This user has read entries of the activity. */
  'activity.read': object;
  /** An operator has changed a user. */
  'users.changed': object;
  /** Any data may have changed, such as after the demo was added. */
  'everything.changed': object;
}

export type Change = {
  [Type in keyof ChangeData]: { type: Type; data: ChangeData[Type] };
}[keyof ChangeData];

type ChangeType = keyof ChangeData;

const { devices, device, invitations, swarm: swarmKeys } = queryKeys;

/** The list of devices and its counts. Its rows keep their places. */
const deviceList: Outdated = { refetch: [devices.latest, devices.counts], refetchFirst: [devices.lists] };
/** The inbox. Its rows keep their places, so only the newest ones are fetched. */
const inbox: Outdated = {
  refetch: [invitations.heads, invitations.items, invitations.count],
  refetchFirst: [invitations.lists],
};

/** What shows something of many kinds of changes. */
const views: readonly (Outdated & { shows: readonly ChangeType[] })[] = [
  {
    ...deviceList,
    shows: [
      'resource.created',
      'resource.updated',
      'resource.destroyed',
      'presence.changed',
      'refusals.changed',
      'device.taken_over',
      'map.changed',
      'membership.changed',
      'swarm.updated',
      'swarm.destroyed',
    ],
  },
  {
    ...inbox,
    shows: [
      'membership.changed',
      'swarm.destroyed',
      'invitation.sent',
      'invitation.received',
      'join_request.changed',
      'join_request.withdrawn',
      'blocked_users.changed',
      'invitations.changed',
      // Managers answer requests.
      'manager.changed',
    ],
  },
  {
    // The number at the inbox is also that of offers.
    refetch: [invitations.count, queryKeys.offers],
    shows: ['handover.changed', 'device.taken_over', 'manager.changed'],
  },
  {
    refetch: [queryKeys.map.all],
    shows: [
      'resource.created',
      'resource.updated',
      'resource.destroyed',
      'presence.changed',
      'device.taken_over',
      'membership.changed',
      'swarm.destroyed',
      'devices.changed',
    ],
  },
  {
    // The choices of a device have its swarms, and "Who sees this" has their members.
    refetch: [devices.choices, queryKeys.audience.all],
    shows: ['membership.changed', 'swarm.updated', 'swarm.destroyed'],
  },
  {
    // What the user has of each kind, and the limits.
    refetch: [queryKeys.account],
    shows: [
      'resource.created',
      'resource.destroyed',
      'handover.changed',
      'device.taken_over',
      'swarm.destroyed',
      'manager.changed',
      'devices.changed',
      'api_keys.changed',
      'recovery_codes.changed',
      'totp.changed',
      'identities.changed',
    ],
  },
  {
    refetch: [queryKeys.activity.all],
    shows: [
      'resource.destroyed',
      'handover.changed',
      'device.taken_over',
      'notice.created',
      'membership.changed',
      'swarm.updated',
      'swarm.destroyed',
      'invitation.sent',
      'invitation.received',
      'invitation.updated',
      'invitation.withdrawn',
      'join_request.changed',
      'join_request.withdrawn',
      'link.changed',
      'manager.changed',
      'devices.changed',
      'api_keys.changed',
      'recovery_codes.changed',
      'totp.changed',
      'identities.changed',
      'passkeys.changed',
      'address.changed',
      'activity.read',
      'password.changed',
    ],
  },
];

/** Patches cached data and returns the queries that are outdated. `changes` are all of one type. */
type Rules = { [Type in ChangeType]: (changes: ChangeData[Type][], client: QueryClient) => Outdated };

const rowsOf = (changes: { id: string }[]) => changes.map(({ id }) => device.rowsOf(id));
const ofSwarm = (id: string) => [swarmKeys.overview(id), queryKeys.swarms.all];
const ofBoards = (changes: { swarm_id: string }[]): Outdated => ({
  refetch: changes.flatMap(({ swarm_id: id }) => [...ofSwarm(id), swarmKeys.boards(id), swarmKeys.known(id)]),
});
const only =
  (...refetch: QueryKey[]) =>
  (): Outdated => ({ refetch });

/** What a change makes outdated beside the `views`, whoever has made it. */
const rules: Rules = {
  'resource.created': (changes) => ({
    // It may be a deleted one that is back.
    refetch: [...rowsOf(changes), ...changes.map(({ id }) => device.record(id)), devices.choices],
  }),
  'resource.updated'(resources, client) {
    for (const resource of resources) patchResource(client, resource);
    applyToRows(client, { devices: new Map(resources.map((resource) => [resource.id, resource])) });
    return { refetch: [...rowsOf(resources), ...memberLists(client)] };
  },
  'resource.destroyed'(resources, client) {
    applyToRows(client, { devices: new Map(resources.map(({ id }) => [id, null])) });
    return {
      refetch: [
        ...rowsOf(resources),
        // Others have no event of a membership that ends with its device.
        queryKeys.audience.all,
        ...memberLists(client),
        // The page of the device fetches it and shows that it was deleted.
        ...resources.map(({ id }) => device.all(id)),
      ],
    };
  },
  'presence.changed': (changes, client) => ({ refetch: [...rowsOf(changes), ...memberLists(client)] }),
  'refusals.changed': (changes) => ({ refetch: rowsOf(changes) }),
  'handover.changed': (changes) => ({
    refetch: changes.flatMap(({ id }) => [queryKeys.handover(id), device.record(id)]),
  }),
  'device.taken_over': (changes) => ({
    refetch: [
      ...rowsOf(changes),
      ...changes.map(({ id }) => device.record(id)),
      devices.choices,
      devices.lists,
      queryKeys.swarms.all,
    ],
  }),
  'notice.created': only(queryKeys.audience.all),
  'map.changed': (changes) => ({
    refetch: [device.rows, ...changes.map(({ audience }) => queryKeys.map.audience(audience))],
  }),
  'membership.changed': (changes) => ({
    refetch: [
      device.rows,
      queryKeys.joinOffers,
      ...changes.flatMap(({ swarm_id, resource_id }) => [
        ...(swarm_id === undefined
          ? [queryKeys.swarms.all, swarmKeys.everyOne]
          : [
              ...ofSwarm(swarm_id),
              swarmKeys.members(swarm_id),
              swarmKeys.known(swarm_id),
              // Who may read them depends on the members.
              queryKeys.messages.of(swarm_id),
            ]),
        resource_id === undefined ? device.everyOne : device.swarms(resource_id),
      ]),
    ],
  }),
  'swarm.created': (swarms) => ({ refetch: swarms.flatMap(({ id }) => ofSwarm(id)) }),
  'swarm.updated'(swarms, client) {
    applyToRows(client, { swarms: new Map(swarms.map((swarm) => [swarm.id, swarm])) });
    // Devices show the names of their swarms.
    return { refetch: [device.rows, device.everyOne, ...swarms.flatMap(({ id }) => ofSwarm(id))] };
  },
  // The open invitations of the swarm are withdrawn.
  'swarm.destroyed': (swarms) => ({
    refetch: [device.rows, device.everyOne, queryKeys.swarms.all, ...swarms.map(({ id }) => swarmKeys.all(id))],
  }),
  // The event does not contain the swarm's details, so the newest rows are fetched.
  'invitation.sent': ofBoards,
  'invitation.received': ofBoards,
  'invitation.updated'(changes, client) {
    applyEnded(client, new Map(changes.map((invitation) => [invitation.id, invitation])));
    return ofBoards(changes);
  },
  'invitation.withdrawn'(changes, client) {
    applyEnded(client, new Map(changes.map(({ id }) => [id, null])));
    return ofBoards(changes);
  },
  'join_request.changed': withEndedRequests,
  'join_request.withdrawn': withEndedRequests,
  'blocked_users.changed': (changes) => ({ refetch: changes.map(({ swarm_id }) => swarmKeys.blocked(swarm_id)) }),
  'link.changed': (changes) => ({ refetch: changes.map(({ swarm_id }) => swarmKeys.links(swarm_id)) }),
  'manager.changed': (changes) => ({
    // One may be handed over.
    refetch: [queryKeys.swarms.all, queryKeys.audience.all, ...changes.map(({ swarm_id }) => swarmKeys.all(swarm_id))],
  }),
  'message.sent': (changes, client) => ({
    refetch: changes.flatMap((change) => [
      ...addMessages(client, change),
      ...addSent(client, change),
      ...addLiveValues(client, change),
    ]),
  }),
  // Long lists are not fetched again, only their newest rows.
  reset: (_changes, client) => ({
    refetch: client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey.slice(0, 2))
      .filter((key) => !notReset.some((beginning) => beginsWith(key, beginning))),
    refetchFirst: [devices.lists, invitations.lists],
  }),
  'invitations.changed': only(),
  'devices.changed': only(devices.all, device.rows),
  'api_keys.changed': only(queryKeys.apiKeys),
  'messages.sent': (changes) => ({ refetch: changes.map(({ resource_id }) => device.sent(resource_id)) }),
  'saved_views.changed': only(queryKeys.savedViews),
  'recovery_codes.changed': only(queryKeys.recoveryCodes),
  'totp.changed': only(queryKeys.totp, queryKeys.recoveryCodes),
  'identities.changed': only(queryKeys.identities),
  'passkeys.changed': only(queryKeys.passkeys),
  'address.changed': only(queryKeys.address),
  'sessions.changed': only(queryKeys.sessions),
  'activity.read': only(),
  'users.changed': only(queryKeys.operator()),
  'webhook.changed': only(queryKeys.webhook),
  'everything.changed': only([]),
  'password.changed': only(queryKeys.sessions),
};

/** The user's own changes appear in the list of devices at once. */
const inListAtOnce = () => ({ refetch: [devices.lists] });

/** What is outdated too if this page has made the change: then it is no event of the stream, which has it as well. */
const ownRules: Partial<Rules> = {
  'resource.created': inListAtOnce,
  'membership.changed': inListAtOnce,
  'swarm.destroyed': inListAtOnce,
  'resource.updated'(resources, client) {
    for (const resource of resources) patchDeviceRow(client, resource);
    // The stream also has this event for the moves of a device that is shown, which the activity does not list.
    return { refetch: [queryKeys.activity.all, queryKeys.actions.history], refetchLater: [devices.lists] };
  },
  'resource.destroyed'(resources, client) {
    removeDeviceRows(client, new Set(resources.map(({ id }) => id)));
    // A page that shows it keeps its data and what was typed.
    for (const { id } of resources) client.removeQueries({ queryKey: device.all(id), type: 'inactive' });
    return { refetchLater: [devices.lists] };
  },
};

/** What is outdated too if it is an event of the stream: after an own answer, the rows are right already. */
const streamRules: Partial<Rules> = {
  'invitation.updated': () => inbox,
  'invitation.withdrawn': () => inbox,
};

/** Those that have ended leave the open ones. The newest rows of the history are fetched. */
function withEndedRequests(
  changes: { id: string; swarm_id: string; status?: JoinRequest['status'] }[],
  client: QueryClient,
): Outdated {
  const ended = changes.filter(({ status }) => status !== 'new');
  applyEnded(client, new Map(ended.map(({ id }) => [id, null])));
  return ofBoards(changes);
}

/** Fetched again in another way, or not changed by others. */
const notReset = [devices.lists, invitations.lists, queryKeys.account, queryKeys.apiKeys, queryKeys.sessions];

/** The member lists of all swarms: a device may be in any of them. */
function memberLists(client: QueryClient): QueryKey[] {
  const cached = client.getQueryCache().findAll({ queryKey: swarmKeys.everyOne });
  return cached.map(({ queryKey }) => queryKey).filter((key) => idIn(key, swarmKeys.members) !== undefined);
}

/**
 * Patches cached data and returns the queries that are outdated. Many changes of one type are applied together. `isOwn`: this page has
 * made them. Otherwise they are events of the stream, also of the user's own actions.
 */
export function patchByChanges(client: QueryClient, changes: readonly Change[], { isOwn = false } = {}): Outdated {
  const found = [...Map.groupBy(changes, ({ type }) => type)].flatMap(([type, group]) => {
    const data = group.map((change) => change.data);
    const apply = (by: Partial<Rules>) =>
      (by[type] as ((data: object[], client: QueryClient) => Outdated) | undefined)?.(data, client) ?? [];
    return [rules, isOwn ? ownRules : streamRules]
      .flatMap(apply)
      .concat(views.filter(({ shows }) => shows.includes(type)));
  });
  const keysOf = (how: keyof Outdated) => distinct(found.flatMap((outdated) => outdated[how] ?? []));
  return { refetch: keysOf('refetch'), refetchLater: keysOf('refetchLater'), refetchFirst: keysOf('refetchFirst') };
}

/** Applies the user's own actions to the cache. */
export function applyOwnChanges(client: QueryClient, ...changes: readonly Change[]): void {
  void refetchOwnChanges(client, ...changes);
}

/** Like `applyOwnChanges`. The promise resolves when the outdated queries have been fetched again. */
export function refetchOwnChanges(client: QueryClient, ...changes: readonly Change[]): Promise<void> {
  return refetchOutdated(client, patchByChanges(client, changes, { isOwn: true }));
}
