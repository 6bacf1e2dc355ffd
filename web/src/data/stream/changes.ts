/**
 * Maps each change on the server to the cached queries that it concerns, and to the patches of their data. app/live.ts
 * applies the events of the live stream; the mutations of this app apply the user's own actions.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Invitation, JoinRequest, Resource, Swarm } from '@swarmdeck/bff/contract';
import { forgetDeviceChanges, patchDeviceRow, patchResource, removeDeviceRows } from '../cache/cached-devices.ts';
import { applyEnded, applyToRows, type SwarmFields } from '../cache/cached-invitations.ts';
import { addMessages, type NewMessages } from '../cache/cached-messages.ts';
import { distinct, refetchOutdated, type Outdated } from '../cache/query-cache.ts';
import { beginsWith, idIn } from '../cache/key-parts.ts';
import { accountKeys } from '../cache/account-keys.ts';
import { queryKeys } from '../cache/query-keys.ts';
import { addSent } from '../cache/sent-messages.ts';
import { patchTrack } from '../cache/track.ts';
import { deviceSelectionOf } from '../device-selection.ts';
import { addLiveValues } from '../values/live-values.ts';
import { ownChanges } from './own-changes.ts';

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

/** The queries of what shows something of many kinds of changes. */
const views = {
  /** Its rows keep their places. */
  deviceList: { refetch: [devices.latest, devices.counts], refetchIfNoData: [devices.lists] },
  /** Its rows keep their places, so only the newest ones are fetched. */
  inbox: {
    refetch: [invitations.heads, invitations.items, invitations.count],
    refetchIfNoData: [invitations.lists],
  },
  /** The number at the inbox is also that of offers. */
  offers: { refetch: [invitations.count, queryKeys.offers] },
  map: { refetch: [queryKeys.map.all] },
  /** The choices of a device have its swarms, and "Who sees this" has their members. */
  choices: { refetch: [devices.choices, queryKeys.audience.all] },
  /** What the user has of each kind, and the limits. */
  account: { refetch: [queryKeys.account] },
  activity: { refetch: [queryKeys.activity.all] },
} satisfies Record<string, Outdated>;

/** Patches cached data, and returns the queries that are outdated. `changes` have arrived together. */
type Apply<Data> = (changes: Data[], client: QueryClient) => Outdated;

/** What changes of one type do to the cache: the queries of `views`, those of `refetch`, and what the functions do and return. */
interface Effect<Data> extends Pick<Outdated, 'refetch'> {
  views?: readonly (keyof typeof views)[];
  apply?: Apply<Data>;
  /** If this page has made the change. Then it is no event of the stream, which has it as well. */
  ifOwn?: Apply<Data>;
  /** If it is an event of the stream. */
  ifEvent?: Apply<Data>;
}

const rowsOf = (changes: { id: string }[]) => changes.map(({ id }) => device.rowsOf(id));
const ofSwarm = (id: string) => [swarmKeys.overview(id), queryKeys.swarms.all];
/** Ten thousand answers have as many events, of a few swarms. */
const ofBoards = (changes: { swarm_id: string }[]): Outdated => ({
  refetch: [...new Set(changes.map(({ swarm_id }) => swarm_id))].flatMap((id) => [
    ...ofSwarm(id),
    swarmKeys.boards(id),
    swarmKeys.known(id),
  ]),
});
/** The user's own changes appear in the list of devices at once. */
const inListAtOnce = (): Outdated => ({ refetch: [devices.lists] });
/** After an own answer, the rows of the inbox are right already. */
const inInbox = (): Outdated => views.inbox;

/** All that each type of change does to the cache. */
const effects: { [Type in ChangeType]: Effect<ChangeData[Type]> } = {
  'resource.created': {
    views: ['deviceList', 'map', 'account'],
    apply: (changes) => ({
      // It may be a deleted one that is back.
      refetch: [...rowsOf(changes), ...changes.map(({ id }) => device.record(id)), devices.choices],
    }),
    ifOwn: inListAtOnce,
  },
  'resource.updated': {
    views: ['deviceList', 'map'],
    apply(resources, client) {
      for (const resource of resources) {
        patchResource(client, resource);
        if (resource.keep_track) patchTrack(client, resource);
      }
      applyToRows(client, { devices: new Map(resources.map((resource) => [resource.id, resource])) });
      return { refetch: [...rowsOf(resources), ...memberLists(client)] };
    },
    ifOwn(resources, client) {
      for (const resource of resources) patchDeviceRow(client, resource);
      // The stream also has this event for the moves of a device that is shown, which the activity does not list.
      return { refetch: [queryKeys.activity.all, queryKeys.actions.history], refetchLater: [devices.lists] };
    },
  },
  'resource.destroyed': {
    views: ['deviceList', 'map', 'account', 'activity'],
    apply(resources, client) {
      applyToRows(client, { devices: new Map(resources.map(({ id }) => [id, null])) });
      forgetDeviceChanges(client, new Set(resources.map(({ id }) => id)));
      deselect(client, new Set(resources.map(({ id }) => id)));
      return {
        refetch: [
          ...rowsOf(resources),
          // Its changes cannot be undone any more: another user may have taken it over.
          queryKeys.actions.history,
          // Others have no event of a membership that ends with its device.
          queryKeys.audience.all,
          ...memberLists(client),
          // The page of the device fetches it and shows that it was deleted.
          ...resources.map(({ id }) => device.all(id)),
        ],
      };
    },
    ifOwn(resources, client) {
      removeDeviceRows(client, new Set(resources.map(({ id }) => id)));
      // A page that shows it keeps its data and what was typed.
      for (const { id } of resources) client.removeQueries({ queryKey: device.all(id), type: 'inactive' });
      return { refetchLater: [devices.lists] };
    },
  },
  'presence.changed': {
    views: ['deviceList', 'map'],
    apply: (changes, client) => ({ refetch: [...rowsOf(changes), ...memberLists(client)] }),
  },
  'refusals.changed': { views: ['deviceList'], apply: (changes) => ({ refetch: rowsOf(changes) }) },
  'handover.changed': {
    views: ['offers', 'account', 'activity'],
    apply: (changes) => ({ refetch: changes.flatMap(({ id }) => [queryKeys.handover(id), device.record(id)]) }),
  },
  'device.taken_over': {
    views: ['deviceList', 'offers', 'map', 'account', 'activity'],
    refetch: [devices.choices, devices.lists, queryKeys.swarms.all],
    apply: (changes) => ({ refetch: [...rowsOf(changes), ...changes.map(({ id }) => device.record(id))] }),
  },
  // One is a sign-in in a new browser.
  'notice.created': { views: ['activity'], refetch: [queryKeys.audience.all, accountKeys.sessions] },
  'map.changed': {
    views: ['deviceList'],
    refetch: [device.rows],
    apply: (changes) => ({ refetch: changes.map(({ audience }) => queryKeys.map.audience(audience)) }),
  },
  'membership.changed': {
    views: ['deviceList', 'inbox', 'map', 'choices', 'activity'],
    refetch: [device.rows, queryKeys.joinOffers],
    apply: (changes, client) => ({
      refetch: [
        ...swarmsOfDevices(client, new Set(changes.map(({ swarm_id }) => swarm_id))),
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
    ifOwn: inListAtOnce,
  },
  'swarm.created': { apply: (swarms) => ({ refetch: swarms.flatMap(({ id }) => ofSwarm(id)) }) },
  'swarm.updated': {
    views: ['deviceList', 'choices', 'activity'],
    // Devices show the names of their swarms.
    refetch: [device.rows, device.everyOne],
    apply(swarms, client) {
      applyToRows(client, { swarms: new Map(swarms.map((swarm) => [swarm.id, swarm])) });
      return { refetch: swarms.flatMap(({ id }) => ofSwarm(id)) };
    },
  },
  // The open invitations of the swarm are withdrawn.
  'swarm.destroyed': {
    views: ['deviceList', 'inbox', 'map', 'choices', 'account', 'activity'],
    refetch: [device.rows, device.everyOne, queryKeys.swarms.all],
    apply: (swarms) => ({ refetch: swarms.map(({ id }) => swarmKeys.all(id)) }),
    ifOwn: inListAtOnce,
  },
  // The event does not contain the swarm's details, so the newest rows are fetched.
  'invitation.sent': { views: ['inbox', 'activity'], apply: ofBoards },
  'invitation.received': { views: ['inbox', 'activity'], apply: ofBoards },
  'invitation.updated': {
    views: ['activity'],
    apply(changes, client) {
      applyEnded(client, new Map(changes.map((invitation) => [invitation.id, invitation])));
      return ofBoards(changes);
    },
    ifEvent: inInbox,
  },
  'invitation.withdrawn': {
    views: ['activity'],
    apply(changes, client) {
      applyEnded(client, new Map(changes.map(({ id }) => [id, null])));
      return ofBoards(changes);
    },
    ifEvent: inInbox,
  },
  'join_request.changed': { views: ['inbox', 'activity'], apply: withEndedRequests },
  'join_request.withdrawn': { views: ['inbox', 'activity'], apply: withEndedRequests },
  'blocked_users.changed': {
    views: ['inbox'],
    apply: (changes) => ({ refetch: changes.map(({ swarm_id }) => swarmKeys.blocked(swarm_id)) }),
  },
  'link.changed': {
    views: ['activity'],
    apply: (changes) => ({ refetch: changes.map(({ swarm_id }) => swarmKeys.links(swarm_id)) }),
  },
  'manager.changed': {
    // Managers answer requests. A swarm may be handed over.
    views: ['inbox', 'offers', 'account', 'activity'],
    refetch: [queryKeys.swarms.all, queryKeys.audience.all],
    apply: (changes) => ({ refetch: changes.map(({ swarm_id }) => swarmKeys.all(swarm_id)) }),
  },
  'message.sent': {
    apply: (changes, client) => ({
      refetch: changes.flatMap((change) => [
        ...addMessages(client, change),
        ...addSent(client, change),
        ...addLiveValues(client, change),
      ]),
    }),
  },
  reset: {
    // Long lists are not fetched again, only their newest rows.
    apply: (_changes, client) => ({
      refetch: client
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey.slice(0, 2))
        .filter((key) => !notReset.some((beginning) => beginsWith(key, beginning))),
      refetchIfNoData: [devices.lists, invitations.lists],
    }),
  },
  'invitations.changed': { views: ['inbox'] },
  'devices.changed': { views: ['map', 'account', 'activity'], refetch: [devices.all, device.rows] },
  'messages.sent': {
    apply: (changes) => ({ refetch: changes.map(({ resource_id }) => device.sent(resource_id)) }),
  },
  'api_keys.changed': { views: ['account', 'activity'], refetch: [accountKeys.apiKeys] },
  'recovery_codes.changed': { views: ['account', 'activity'], refetch: [accountKeys.recoveryCodes] },
  'totp.changed': { views: ['account', 'activity'], refetch: [accountKeys.totp, accountKeys.recoveryCodes] },
  'identities.changed': { views: ['account', 'activity'], refetch: [accountKeys.identities] },
  'passkeys.changed': { views: ['activity'], refetch: [accountKeys.passkeys] },
  'address.changed': { views: ['activity'], refetch: [accountKeys.address] },
  'password.changed': { views: ['activity'], refetch: [accountKeys.sessions] },
  'activity.read': { views: ['activity'] },
  'sessions.changed': { refetch: [accountKeys.sessions] },
  'saved_views.changed': { refetch: [queryKeys.savedViews] },
  'users.changed': { refetch: [accountKeys.operator()] },
  'webhook.changed': { refetch: [accountKeys.webhook] },
  'everything.changed': { refetch: [[]] },
};

/** Devices that do not exist any more are not selected. */
function deselect(client: QueryClient, gone: ReadonlySet<string>): void {
  const selection = deviceSelectionOf({ client });
  const { all, ids } = selection.get();
  const left = new Set([...ids].filter((id) => !gone.has(id)));
  if (left.size < ids.size) selection.set({ ids: left, isActive: all || left.size > 0 });
}

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
const notReset = [devices.lists, invitations.lists, queryKeys.account, accountKeys.apiKeys, accountKeys.sessions];

/** The member lists of all swarms: a device may be in any of them. */
function memberLists(client: QueryClient): QueryKey[] {
  const cached = client.getQueryCache().findAll({ queryKey: swarmKeys.everyOne });
  return cached.map(({ queryKey }) => queryKey).filter((key) => idIn(key, swarmKeys.members) !== undefined);
}

/** The swarms of the cached devices that are in one of these swarms, or in any: each is shown with the number of its members. */
function swarmsOfDevices(client: QueryClient, ids: ReadonlySet<string | undefined>): QueryKey[] {
  const cached = client.getQueryCache().findAll({ queryKey: device.everyOne });
  return cached
    .filter(({ queryKey }) => idIn(queryKey, device.swarms) !== undefined)
    .filter(({ state }) => ids.has(undefined) || (state.data as Swarm[] | undefined)?.some(({ id }) => ids.has(id)))
    .map(({ queryKey }) => queryKey);
}

const isOf =
  <Type extends ChangeType>(type: Type) =>
  (change: Change): change is Change & { type: Type; data: ChangeData[Type] } =>
    change.type === type;

/** Applies all changes of one type. */
function applyEffect<Type extends ChangeType>(options: {
  client: QueryClient;
  type: Type;
  changes: readonly Change[];
  isOwn: boolean;
}): Outdated[] {
  const { client, type, changes, isOwn } = options;
  // A newer server may have other events.
  const effect: Effect<ChangeData[Type]> = effects[type] ?? {};
  const data = changes.filter(isOf(type)).map((change) => change.data);
  const applied = [effect.apply, isOwn ? effect.ifOwn : effect.ifEvent].flatMap((apply) => apply?.(data, client) ?? []);
  return [...applied, { refetch: effect.refetch ?? [] }, ...(effect.views ?? []).map((view) => views[view])];
}

/**
 * Patches cached data and returns the queries that are outdated. Many changes of one type are applied together. `isOwn`: this page has
 * made them. Otherwise they are events of the stream, also of the user's own actions.
 */
export function patchByChanges(client: QueryClient, changes: readonly Change[], { isOwn = false } = {}): Outdated {
  const types = new Set(changes.map(({ type }) => type));
  const found = [...types].flatMap((type) => applyEffect({ client, type, changes, isOwn }));
  const keysOf = (how: keyof Outdated) => distinct(found.flatMap((outdated) => outdated[how] ?? []));
  return {
    refetch: keysOf('refetch'),
    refetchLater: keysOf('refetchLater'),
    refetchIfNoData: keysOf('refetchIfNoData'),
  };
}

/** Applies the user's own actions to the cache. The promise resolves when the outdated queries have been fetched again. */
export async function refetchOwnChanges(client: QueryClient, ...changes: readonly Change[]): Promise<void> {
  const outdated = patchByChanges(client, changes, { isOwn: true });
  await Promise.all([refetchOutdated(client, outdated), refetchHiddenEmptyLists(client, outdated)]);
  ownChanges.notify();
}

/** Without a network, a page would say that the user has none of what was just created. */
function refetchHiddenEmptyLists(client: QueryClient, { refetch = [], refetchIfNoData = [] }: Outdated): Promise<void> {
  const keys = [...refetch, ...refetchIfNoData];
  return client.refetchQueries({
    type: 'inactive',
    predicate: ({ queryKey, state }) => isEmptyList(state.data) && keys.some((key) => beginsWith(queryKey, key)),
  });
}

function isEmptyList(data: unknown): boolean {
  const { pages = [] } = (data ?? {}) as { pages?: readonly { items?: readonly unknown[] }[] };
  return pages.length === 1 && pages[0]?.items?.length === 0;
}
