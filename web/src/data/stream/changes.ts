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

interface Context {
  client: QueryClient;
  /** The change is an action of this page. Otherwise it is an event of the stream, also of the user's own actions. */
  isOwn: boolean;
}

/** Patches cached data and returns the queries that are outdated. `changes` are all of one type. */
type Rules = { [Type in keyof ChangeData]: (changes: ChangeData[Type][], context: Context) => Outdated };

const { devices, device, invitations, swarm: swarmKeys } = queryKeys;
/** The lists of devices, and their counts. */
const deviceLists = [devices.latest, devices.counts];
/** With the rows of single devices, if it is not known which have changed. */
const deviceData = [...deviceLists, device.rows];
const deviceDataOf = (changes: { id: string }[]) => [...deviceLists, ...changes.map(({ id }) => device.rowsOf(id))];
/** What has the swarms of devices, their counts, or who sees them. */
const withSwarms = [...deviceData, devices.choices, queryKeys.audience.all];
const newestInvitations = {
  refetch: [invitations.heads, invitations.items, invitations.count],
  refetchFirst: [invitations.lists],
};
const ofSwarm = (id: string) => [swarmKeys.overview(id), queryKeys.swarms.all];
const ofBoard = (id: string) => [...ofSwarm(id), swarmKeys.boards(id), swarmKeys.known(id)];

const rules: Rules = {
  'resource.created': (changes, { isOwn }) => ({
    // The user's own new device appears in the list at once.
    refetch: [
      ...deviceDataOf(changes),
      // It may be a deleted one that is back.
      ...changes.map(({ id }) => device.record(id)),
      devices.choices,
      queryKeys.map.all,
      queryKeys.account,
      ...(isOwn ? [devices.lists] : []),
    ],
    refetchFirst: [devices.lists],
  }),
  'resource.updated'(resources, { client, isOwn }) {
    for (const resource of resources) {
      patchResource(client, resource);
      if (isOwn) patchDeviceRow(client, resource);
    }
    applyToRows(client, { devices: new Map(resources.map((resource) => [resource.id, resource])) });
    return {
      refetch: [
        ...deviceDataOf(resources),
        queryKeys.map.all,
        ...memberLists(client),
        // The stream also has this event for the moves of a device that is shown, which the activity does not list.
        ...(isOwn ? [queryKeys.activity.all, queryKeys.actions.history] : []),
      ],
      refetchFirst: [devices.lists],
      refetchLater: isOwn ? [devices.lists] : [],
    };
  },
  'resource.destroyed'(resources, { client, isOwn }) {
    const ids = new Set(resources.map(({ id }) => id));
    applyToRows(client, { devices: new Map([...ids].map((id) => [id, null])) });
    if (isOwn) {
      removeDeviceRows(client, ids);
      // A page that shows it keeps its data and what was typed.
      for (const id of ids) client.removeQueries({ queryKey: queryKeys.device.all(id), type: 'inactive' });
    }
    return {
      refetch: [
        ...deviceDataOf(resources),
        queryKeys.map.all,
        queryKeys.account,
        queryKeys.activity.all,
        // Others have no event of a membership that ends with its device.
        queryKeys.audience.all,
        ...memberLists(client),
        // The page of the device fetches it and shows that it was deleted.
        ...[...ids].map(queryKeys.device.all),
      ],
      refetchFirst: [devices.lists],
      refetchLater: isOwn ? [devices.lists] : [],
    };
  },
  'presence.changed': (changes, { client }) => ({
    refetch: [...deviceDataOf(changes), ...memberLists(client), queryKeys.map.all],
    refetchFirst: [devices.lists],
  }),
  'refusals.changed': (changes) => ({
    refetch: deviceDataOf(changes),
    refetchFirst: [devices.lists],
  }),
  'handover.changed': (changes) => ({
    refetch: [
      ...changes.flatMap(({ id }) => [queryKeys.handover(id), queryKeys.device.record(id)]),
      queryKeys.offers,
      queryKeys.activity.all,
      queryKeys.account,
      invitations.count,
    ],
  }),
  'device.taken_over': (changes) => ({
    refetch: [
      ...deviceDataOf(changes),
      ...changes.map(({ id }) => queryKeys.device.record(id)),
      devices.choices,
      devices.lists,
      queryKeys.map.all,
      queryKeys.swarms.all,
      queryKeys.offers,
      queryKeys.activity.all,
      queryKeys.account,
      invitations.count,
    ],
    refetchFirst: [devices.lists],
  }),
  'notice.created': () => ({ refetch: [queryKeys.activity.all, queryKeys.audience.all] }),
  'map.changed': (changes) => ({
    refetch: [...deviceData, ...changes.map(({ audience }) => queryKeys.map.audience(audience))],
    refetchFirst: [devices.lists],
  }),
  'membership.changed': (changes, { isOwn }) => ({
    ...newestInvitations,
    refetch: [
      ...newestInvitations.refetch,
      ...withSwarms,
      ...(isOwn ? [devices.lists] : []),
      queryKeys.map.all,
      queryKeys.activity.all,
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
        resource_id === undefined ? queryKeys.device.everyOne : queryKeys.device.swarms(resource_id),
      ]),
    ],
    refetchFirst: [...newestInvitations.refetchFirst, devices.lists],
  }),
  'swarm.created': (swarms) => ({ refetch: swarms.flatMap(({ id }) => ofSwarm(id)) }),
  'swarm.updated'(swarms, { client }) {
    applyToRows(client, { swarms: new Map(swarms.map((swarm) => [swarm.id, swarm])) });
    // Devices show the names of their swarms.
    const named = [...withSwarms, queryKeys.device.everyOne];
    return {
      refetch: [queryKeys.activity.all, ...named, ...swarms.flatMap(({ id }) => ofSwarm(id))],
    };
  },
  'swarm.destroyed': (swarms, { isOwn }) => ({
    ...newestInvitations,
    refetch: [
      // The open invitations of the swarm are withdrawn.
      ...newestInvitations.refetch,
      ...swarms.map(({ id }) => swarmKeys.all(id)),
      queryKeys.swarms.all,
      queryKeys.map.all,
      queryKeys.device.everyOne,
      queryKeys.account,
      ...withSwarms,
      ...(isOwn ? [devices.lists] : []),
      queryKeys.activity.all,
    ],
    refetchFirst: [...newestInvitations.refetchFirst, devices.lists],
  }),
  // The event does not contain the swarm's details, so the newest rows are fetched.
  'invitation.sent': withNewInvitations,
  'invitation.received': withNewInvitations,
  'invitation.updated'(changes, { client, isOwn }) {
    applyEnded(client, new Map(changes.map((invitation) => [invitation.id, invitation])));
    return isOwn ? boardsOf(changes) : withNewInvitations(changes);
  },
  'invitation.withdrawn'(changes, { client, isOwn }) {
    applyEnded(client, new Map(changes.map(({ id }) => [id, null])));
    return isOwn ? boardsOf(changes) : withNewInvitations(changes);
  },
  'join_request.changed': withNewRequests,
  'join_request.withdrawn': withNewRequests,
  'blocked_users.changed': (changes) => ({
    ...newestInvitations,
    refetch: [...newestInvitations.refetch, ...changes.map(({ swarm_id }) => swarmKeys.blocked(swarm_id))],
  }),
  'link.changed': (changes) => ({
    refetch: [...changes.map(({ swarm_id }) => swarmKeys.links(swarm_id)), queryKeys.activity.all],
  }),
  'manager.changed': (changes) => ({
    refetch: [
      ...changes.map(({ swarm_id }) => swarmKeys.all(swarm_id)),
      // The account counts the own swarms, and one may be handed over.
      queryKeys.swarms.all,
      queryKeys.offers,
      queryKeys.activity.all,
      queryKeys.audience.all,
      queryKeys.account,
      invitations.count,
    ],
  }),
  'message.sent': (changes, { client }) => ({
    refetch: changes.flatMap((change) => [
      ...addMessages(client, change),
      ...addSent(client, change),
      ...addLiveValues(client, change),
    ]),
  }),
  // Long lists are not fetched again, only their newest rows.
  reset: (_changes, { client }) => ({
    refetch: client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey.slice(0, 2))
      .filter((key) => !notReset.some((beginning) => beginsWith(key, beginning))),
    refetchFirst: [devices.lists, invitations.lists],
  }),
  'invitations.changed': () => newestInvitations,
  'devices.changed': () => ({
    refetch: [devices.all, device.rows, queryKeys.map.all, queryKeys.account, queryKeys.activity.all],
  }),
  'api_keys.changed': () => ({ refetch: [queryKeys.apiKeys, queryKeys.account, queryKeys.activity.all] }),
  'messages.sent': (changes) => ({ refetch: changes.map(({ resource_id }) => queryKeys.device.sent(resource_id)) }),
  'saved_views.changed': () => ({ refetch: [queryKeys.savedViews] }),
  'recovery_codes.changed': () => ({
    refetch: [queryKeys.recoveryCodes, queryKeys.account, queryKeys.activity.all],
  }),
  'totp.changed': () => ({
    refetch: [queryKeys.totp, queryKeys.recoveryCodes, queryKeys.account, queryKeys.activity.all],
  }),
  'identities.changed': () => ({ refetch: [queryKeys.identities, queryKeys.account, queryKeys.activity.all] }),
  'passkeys.changed': () => ({ refetch: [queryKeys.passkeys, queryKeys.activity.all] }),
  'address.changed': () => ({ refetch: [queryKeys.address, queryKeys.activity.all] }),
  'sessions.changed': () => ({ refetch: [queryKeys.sessions] }),
  'activity.read': () => ({ refetch: [queryKeys.activity.all] }),
  'users.changed': () => ({ refetch: [queryKeys.operator()] }),
  'webhook.changed': () => ({ refetch: [queryKeys.webhook] }),
  'everything.changed': () => ({ refetch: [[]] }),
  'password.changed': () => ({ refetch: [queryKeys.sessions, queryKeys.activity.all] }),
};

const boardsOf = (changes: { swarm_id: string }[]) => ({
  refetch: [queryKeys.activity.all, ...changes.flatMap(({ swarm_id }) => ofBoard(swarm_id))],
});

function withNewInvitations(changes: { swarm_id: string }[]): Outdated {
  return { ...newestInvitations, refetch: [...newestInvitations.refetch, ...boardsOf(changes).refetch] };
}

/** Those that have ended leave the open ones. The newest rows of the history are fetched. */
function withNewRequests(
  changes: { id: string; swarm_id: string; status?: JoinRequest['status'] }[],
  { client }: Context,
): Outdated {
  const ended = changes.filter(({ status }) => status !== 'new');
  applyEnded(client, new Map(ended.map(({ id }) => [id, null])));
  return withNewInvitations(changes);
}

/** Fetched again in another way, or not changed by others. */
const notReset = [devices.lists, invitations.lists, queryKeys.account, queryKeys.apiKeys, queryKeys.sessions];

/** The member lists of all swarms: a device may be in any of them. */
function memberLists(client: QueryClient): QueryKey[] {
  const cached = client.getQueryCache().findAll({ queryKey: swarmKeys.everyOne });
  return cached.map(({ queryKey }) => queryKey).filter((key) => idIn(key, swarmKeys.members) !== undefined);
}

/** Patches cached data and returns the queries that are outdated. Many changes of one type are applied together. */
export function patchByChanges(client: QueryClient, changes: readonly Change[], { isOwn = false } = {}): Outdated {
  const found = [...Map.groupBy(changes, ({ type }) => type)].flatMap(([type, group]) => {
    const rule = rules[type] as ((data: object[], context: Context) => Outdated) | undefined;
    const data = group.map((change) => change.data);
    return rule?.(data, { client, isOwn }) ?? [];
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
