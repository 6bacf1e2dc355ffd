import {
  InfiniteQueryObserver,
  partialMatchKey,
  QueryClient,
  QueryObserver,
  type InfiniteData,
  type QueryKey,
} from '@tanstack/react-query';
import type { Invitation, InvitationItem, InvitationPage, JoinRequest, Resource } from '@swarmdeck/bff/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { patchByChanges, refetchOwnChanges, type Change } from './changes.ts';
import { cachedDevice } from '../cache/cached-devices.ts';
import { itemOf, minuteOf, pageOf } from '../cache/invitation.fixture.ts';
import { refetchOutdated } from '../cache/query-cache.ts';
import { accountKeys } from '../cache/account-keys.ts';
import { deviceSelectionOf } from '../device-selection.ts';
import { queryKeys, type Side } from '../cache/query-keys.ts';
import { trackQuery } from '../cache/track.ts';
import { setLiveState } from './connection-status.ts';

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});
afterEach(() => {
  client.clear();
});

/** The names of the queries that are outdated after these events. */
function outdatedBy(keys: Record<string, QueryKey>, ...changes: Change[]): string[] {
  void refetchOutdated(client, patchByChanges(client, changes));
  return Object.entries(keys).flatMap(([name, key]) => (client.getQueryState(key)?.isInvalidated ? [name] : []));
}

test('a list that is not shown and has nothing is fetched again after an own change: offline, it would say so', async () => {
  const queryKey = queryKeys.swarms.list('');
  const found = vi
    .fn<() => object>()
    .mockReturnValueOnce({ items: [] })
    .mockReturnValue({ items: [{ id: 's' }] });
  const stop = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: async () => found(),
    initialPageParam: null,
    getNextPageParam: () => null,
  }).subscribe(() => undefined);
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toMatchObject({ pages: [{ items: [] }] }));
  stop();
  const created: Change = { type: 'swarm.created', data: { id: 's' } };
  await refetchOwnChanges(client, created);
  expect(client.getQueryData(queryKey)).toMatchObject({ pages: [{ items: [{ id: 's' }] }] });
  await refetchOwnChanges(client, created);
  expect(found).toHaveBeenCalledTimes(2);
});

test('changes of a device that another user has taken over are read again: they cannot be undone any more', () => {
  const keys = { device: queryKeys.actions.historyOf('a'), all: queryKeys.actions.history };
  for (const key of Object.values(keys)) client.setQueryData(key, {});
  expect(outdatedBy(keys, { type: 'resource.destroyed', data: { id: 'a' } })).toEqual(['device', 'all']);
});

test('a device is shown with the number of members of its swarms, also if another one joins', () => {
  const keys = {
    in: queryKeys.device.swarms('r1'),
    other: queryKeys.device.swarms('r2'),
    record: queryKeys.device.record('r1'),
  };
  client.setQueryData(keys.in, [{ id: 's1' }, { id: 's2' }]);
  client.setQueryData(keys.other, [{ id: 's2' }]);
  client.setQueryData(keys.record, {});
  const joined: Change = { type: 'membership.changed', data: { swarm_id: 's1', resource_id: 'r9' } };
  expect(outdatedBy(keys, joined)).toEqual(['in']);
});

test('the track of a device grows with its moves, and is not polled while the stream is live', () => {
  const { queryKey, refetchInterval } = trackQuery('r1');
  const interval = () => (refetchInterval as () => number | false)();
  const pointAt = (second: number, longitude: number) => ({
    at: new Date(second * 1000).toISOString(),
    latitude: 54,
    longitude,
  });
  client.setQueryData(queryKey, [pointAt(10, 10)]);
  const move = (second: number, longitude: number, values: Partial<Resource> = {}) => {
    const { at, ...position } = pointAt(second, longitude);
    const resource = { id: 'r1', name: 'Van', keep_track: true, position, positioned_at: at, ...values } as Resource;
    patchByChanges(client, [{ type: 'resource.updated', data: resource }]);
  };
  move(20, 10.1);
  move(5, 9);
  move(21, 10.1, { name: 'Van 2' });
  move(20.5, 10.2);
  move(30, 10.3, { id: 'r2' });
  move(40, 10.4, { keep_track: false });
  expect(client.getQueryData(queryKey)).toEqual([pointAt(10, 10), pointAt(20, 10.1)]);
  expect(interval()).toBe(30_000);
  setLiveState('live');
  expect(interval()).toBe(false);
  setLiveState(undefined);
});

test('a device that is deleted is not selected any more', () => {
  const selection = deviceSelectionOf({ client });
  selection.select(['a', 'b']);
  patchByChanges(client, [{ type: 'resource.destroyed', data: { id: 'a' } }]);
  expect([...selection.get().ids]).toEqual(['b']);
  patchByChanges(client, [{ type: 'resource.destroyed', data: { id: 'b' } }]);
  expect(selection.get().isActive).toBe(false);
});

describe('invitations', () => {
  const query = (side: Side) => ({ box: 'received', side, q: '' }) as const;
  const listKey = (side: Side) => queryKeys.invitations.list(query(side));
  const headKey = (side: Side) => queryKeys.invitations.head(query(side));
  const counts = () => ({ new: 2, accepted: 1, rejected: 0, stale: 0 });
  const received = () =>
    client.getQueryData<{ received: ReturnType<typeof counts> }>(queryKeys.invitations.count)?.received;
  const rows = (side: Side) =>
    client.getQueryData<InfiniteData<InvitationPage>>(listKey(side))?.pages.flatMap(({ items }) => items) ?? [];
  const ids = (items: InvitationItem[]) => items.map(({ id }) => id);
  const recordOf = ({ swarm: _swarm, device: _device, changed_at: _at, ...invitation }: InvitationItem) =>
    invitation as Invitation;
  const withdrawn = (id: string): Change => ({ type: 'invitation.withdrawn', data: { id, swarm_id: 'levels' } });
  const updated = (invitation: Invitation): Change => ({ type: 'invitation.updated', data: invitation });
  const renamed = (id: string) =>
    ({ type: 'resource.updated', data: { id, name: 'Gate sensor', machine_type: 'pc' } as Resource }) as const;

  beforeEach(() => {
    const past = itemOf('past', 1, { status: 'accepted', accepted_at: minuteOf(2), changed_at: minuteOf(2) });
    const lists = { new: pageOf([itemOf('b', 5), itemOf('a', 4)]), answered: pageOf([past]) };
    for (const side of ['new', 'answered'] as const) {
      client.setQueryData(listKey(side), { pages: [lists[side]], pageParams: [null] });
      client.setQueryData(headKey(side), lists[side]);
    }
    client.setQueryData(queryKeys.invitations.count, { offers: 0, received: counts(), sent: counts() });
  });

  const apply = (...changes: Change[]) => patchByChanges(client, changes);

  test('an invitation that was answered elsewhere moves to the top of the history, and the counts follow', () => {
    apply(updated({ ...recordOf(itemOf('a', 4)), status: 'rejected', rejected_at: minuteOf(9) }));
    expect(ids(rows('new'))).toEqual(['b']);
    expect(ids(rows('answered'))).toEqual(['a', 'past']);
    expect(rows('answered')[0]).toMatchObject({
      status: 'rejected',
      changed_at: minuteOf(9),
      swarm: { name: 'River levels' },
    });
    expect(received()).toMatchObject({ new: 1, rejected: 1 });
    expect(client.getQueryData<InvitationPage>(headKey('new'))?.items.map(({ id }) => id)).toEqual(['b']);
  });

  describe('a row of two invitations', () => {
    const pair = itemOf('p', 6, { resource_type: 'both', other_id: 'c' });
    const answered = (id: 'p' | 'c', status: 'accepted' | 'rejected', at = 9) =>
      updated({
        ...recordOf(itemOf(id, 6, { resource_type: id === 'p' ? 'producer' : 'consumer' })),
        status,
        [`${status}_at`]: minuteOf(at),
      });
    const shown = (side: Side) =>
      rows(side).map(({ id, resource_type, other_id }) => `${id} ${resource_type} ${other_id}`);
    beforeEach(() => {
      client.setQueryData(listKey('new'), { pages: [pageOf([pair])], pageParams: [null] });
      client.setQueryData(queryKeys.invitations.count, { received: { ...counts(), new: 1 }, sent: counts() });
    });

    test('moves to the history as one row if both were answered together', () => {
      apply(answered('p', 'accepted'), answered('c', 'accepted'));
      expect([shown('new'), shown('answered')[0]]).toEqual([[], 'p both c']);
      expect(received()).toMatchObject({ new: 0, accepted: 2 });
    });

    test.each([
      ['an answer to one of them', () => answered('p', 'rejected'), ['p both c']],
      ['an answer to the other one', () => answered('c', 'rejected'), ['p both c']],
      ['the withdrawal of one of them', () => withdrawn('c'), []],
    ])('ends as one with %s, and the newest rows say what is left of it', (_what, event, top) => {
      const { refetchIfNoData } = apply(event());
      expect(shown('new')).toEqual([]);
      expect(shown('answered').slice(0, top.length)).toEqual(top);
      expect(received()).toMatchObject({ new: 0, rejected: top.length });
      expect(refetchIfNoData).toContainEqual(queryKeys.invitations.lists);
    });

    test('is fetched again if they were answered differently', () => {
      expect(apply(answered('p', 'accepted'), answered('c', 'rejected', 8)).refetchIfNoData).toContainEqual(
        queryKeys.invitations.lists,
      );
      expect(shown('new')).toEqual([]);
    });
  });

  test('a withdrawn invitation is removed from the lists and the counts', () => {
    apply(withdrawn('b'));
    expect(ids(rows('new'))).toEqual(['a']);
    expect(received()?.new).toBe(1);
  });

  test('events that arrive together are applied together', () => {
    const accepted = { ...recordOf(itemOf('a', 4)), status: 'accepted', accepted_at: minuteOf(9) } as const;
    apply(updated(accepted), renamed('device-past'), withdrawn('b'));
    expect(rows('new')).toEqual([]);
    expect(rows('answered')).toMatchObject([{ id: 'a', status: 'accepted' }, { device: { name: 'Gate sensor' } }]);
  });

  test('an outdated query stays outdated when it is patched', () => {
    outdatedBy({}, { type: 'invitation.received', data: { swarm_id: 's1' } });
    apply(withdrawn('b'));
    expect(client.getQueryState(headKey('new'))?.isInvalidated).toBe(true);
  });

  test('a list that is being fetched for the first time is fetched again', async () => {
    client.clear();
    const requests: PromiseWithResolvers<InvitationPage>[] = [];
    const observer = new QueryObserver<InvitationPage>(client, {
      queryKey: listKey('new'),
      queryFn: () => requests[requests.push(Promise.withResolvers()) - 1]!.promise,
    });
    const stop = observer.subscribe(() => undefined);
    const changes: Change[] = [{ type: 'invitation.received', data: { swarm_id: 's1' } }];
    const done = refetchOutdated(client, patchByChanges(client, changes));
    requests[0]!.resolve(pageOf([]));
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    requests[1]!.resolve(pageOf([itemOf('c', 9)]));
    await done;
    expect(observer.getCurrentResult().data?.items).toHaveLength(1);
    stop();
  });

  test('renamed and deleted devices and renamed swarms are updated in every row', () => {
    const swarm = { id: 'levels', user_id: 'me', name: 'Levels', description: 'all', public: true };
    apply(renamed('device-a'), { type: 'swarm.updated', data: { ...swarm, created_at: minuteOf(0) } });
    expect(rows('new')[1]).toMatchObject({
      device: { name: 'Gate sensor' },
      swarm: { name: 'Levels', member_count: 14 },
    });
    apply({ type: 'resource.destroyed', data: { id: 'device-past' } });
    expect(rows('answered')[0]?.device).toBeNull();
  });

  test('other events change no invitation', () => {
    const before = rows('new');
    apply({ type: 'swarm.created', data: { id: 'other' } });
    expect(rows('new')).toEqual(before);
  });
});

describe('swarms', () => {
  const keys = {
    list: queryKeys.swarms.list(''),
    overview: queryKeys.swarm.overview('s1'),
    members: queryKeys.swarm.memberList('s1', {}),
    board: queryKeys.swarm.board('s1', {}),
    other: queryKeys.swarm.overview('s2'),
    otherMembers: queryKeys.swarm.memberList('s2', {}),
    map: queryKeys.map.view({ audience: 'own' }, {}),
    device: queryKeys.device.swarms('r1'),
  };
  beforeEach(() => {
    for (const key of Object.values(keys)) client.setQueryData(key, {});
    client.setQueryData(keys.device, []);
  });
  const changedBy = (...changes: Change[]) => outdatedBy(keys, ...changes);
  const invitation = { id: 'i1', swarm_id: 's1', resource_id: 'r1' } as Invitation;

  test.each<Change>([
    { type: 'swarm.updated', data: { id: 's1', name: 'Ring' } as Extract<Change, { type: 'swarm.updated' }>['data'] },
    { type: 'swarm.destroyed', data: { id: 's1' } },
    { type: 'resource.destroyed', data: { id: 'r1' } },
    { type: 'membership.changed', data: { swarm_id: 's1' } },
    { type: 'manager.changed', data: { swarm_id: 's1' } },
  ])('who sees a device is asked again after $type', (change) => {
    const audience = queryKeys.audience.of({ resource_id: 'r1' }, '');
    client.setQueryData(audience, {});
    expect(outdatedBy({ audience }, change)).toEqual(['audience']);
  });

  test('a thousand answers that arrive together are fetched once', () => {
    const invalidate = vi.spyOn(client, 'invalidateQueries');
    const changes = Array.from({ length: 1000 }, (_, index): Change[] => [
      { type: 'invitation.updated', data: { ...invitation, id: `i${index}`, resource_id: `r${index}` } },
      { type: 'membership.changed', data: { swarm_id: 's1', resource_id: `r${index}` } },
    ]);
    expect(changedBy(...changes.flat())).toEqual(['list', 'overview', 'members', 'board', 'map', 'device']);
    expect(invalidate.mock.calls.length).toBeLessThan(20);
  });
});

describe('devices', () => {
  const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
  const resource: Resource = {
    id: 'r1',
    user_id: 'me',
    name: 'Buoy',
    machine_type: 'bug',
    created_at: at(0),
    modified_at: at(2),
  };
  const moved = { ...resource, position: { longitude: 1, latitude: 2 }, modified_at: at(3) };
  const recordKey = queryKeys.device.record('r1');
  const open = () => client.getQueryData<{ resource: Resource }>(recordKey);
  const listKey = queryKeys.devices.list('', null);
  const keys = {
    record: recordKey,
    list: listKey,
    latest: queryKeys.devices.latestOf(''),
    map: queryKeys.map.view({ audience: 'own', q: 'buoy' }, {}),
    account: queryKeys.account,
  };
  const row = { ...resource, changed_at: at(2), swarms: [] };

  beforeEach(() => {
    for (const key of Object.values(keys)) client.setQueryData(key, {});
    client.setQueryData(recordKey, { resource, etag: '"2"', at: at(2) });
    client.setQueryData(listKey, { pages: [{ items: [row], total: 1 }], pageParams: [null] });
  });
  const firstPage = () => client.getQueryData<{ pages: { items: unknown[]; total: number }[] }>(listKey)?.pages[0];

  test('an update changes the open device and makes counts and map outdated', () => {
    expect(outdatedBy(keys, { type: 'resource.updated', data: moved })).toEqual(['latest', 'map']);
    expect(open()).toEqual({ resource: moved, etag: '"2"', at: at(3) });
  });

  test('an older state does not replace a newer one, and a device that is not in the cache is not added', () => {
    patchByChanges(client, [
      { type: 'resource.updated', data: { ...moved, modified_at: at(1) } },
      { type: 'resource.updated', data: { ...moved, id: 'r2' } },
    ]);
    expect(open()?.resource).toBe(resource);
    expect(client.getQueryData(queryKeys.device.record('r2'))).toBeUndefined();
  });

  test('a page that shows a device keeps it when an action of the user deletes it, and fetches it again', async () => {
    const gone = new Error('404');
    const queryFn = vi.fn<() => Promise<object>>(() => Promise.reject(gone));
    const shown = new QueryObserver(client, { queryKey: recordKey, queryFn, staleTime: Infinity, retry: false });
    const stop = shown.subscribe(() => undefined);
    void refetchOwnChanges(client, { type: 'resource.destroyed', data: { id: 'r1' } });
    await vi.waitFor(() => expect(shown.getCurrentResult()).toMatchObject({ data: { resource }, error: gone }));
    stop();
  });

  test('a changed map concerns its audience only', () => {
    expect(outdatedBy(keys, { type: 'map.changed', data: { audience: 'swarm:1' } })).not.toContain('map');
    expect(outdatedBy(keys, { type: 'map.changed', data: { audience: 'own' } })).toContain('map');
  });

  test('the rows of a list stay when a device joins or leaves a swarm, unless the user did it', () => {
    const joined: Change = { type: 'membership.changed', data: { swarm_id: 's1', resource_id: 'r1' } };
    expect(outdatedBy(keys, joined)).toEqual(['latest', 'map']);
    void refetchOwnChanges(client, joined);
    expect(client.getQueryState(listKey)?.isInvalidated).toBe(true);
  });

  test('the user’s own changes appear in the list at once', () => {
    void refetchOwnChanges(client, { type: 'resource.updated', data: { ...moved, name: 'Buoy 2' } });
    expect(firstPage()?.items).toEqual([{ ...moved, name: 'Buoy 2', changed_at: at(3), swarms: [] }]);
    void refetchOwnChanges(client, { type: 'resource.destroyed', data: { id: 'r1' } });
    expect(firstPage()).toEqual({ items: [], total: 0 });
    expect(open()).toBeUndefined();
  });

  test.each([false, true])('a deleted device is no change of a list, deleted by this page: %s', (isOwn) => {
    const changesKey = queryKeys.devices.changesSince(at(1));
    const created = { ...row, id: 'r2' };
    client.setQueryData(changesKey, { devices: new Map([['r2', created]]) });
    expect(cachedDevice(client, 'r2')).toBe(created);
    patchByChanges(client, [{ type: 'resource.destroyed', data: { id: 'r2' } }], { isOwn });
    expect(client.getQueryData(changesKey)).toEqual({ devices: new Map() });
    expect(cachedDevice(client, 'r2')).toBeUndefined();
  });
});

describe('a change makes these cached queries outdated, and no others', () => {
  const { devices, device: deviceKeys, swarm, invitations } = queryKeys;
  const box = { box: 'received', side: 'new', q: '' } as const;
  const keys: Record<string, QueryKey> = {
    account: queryKeys.account,
    keys: accountKeys.apiKeys,
    sessions: accountKeys.sessions,
    activity: queryKeys.activity.unread,
    views: queryKeys.savedViews,
    webhook: accountKeys.webhook,
    users: accountKeys.operator('users'),
    offers: queryKeys.offers,
    devices: devices.list('', null),
    latest: devices.latestOf(''),
    counts: devices.count(''),
    row: deviceKeys.row('r1'),
    row2: deviceKeys.row('r2', 'swarm:s1'),
    choices: devices.choice(''),
    map: queryKeys.map.view({ audience: 'own' }, null),
    record: deviceKeys.record('r1'),
    roles: deviceKeys.swarms('r1'),
    sent: deviceKeys.sent('r1'),
    device2: deviceKeys.record('r2'),
    swarms: queryKeys.swarms.list(''),
    overview: swarm.overview('s1'),
    members: swarm.memberList('s1', {}),
    board: swarm.board('s1', {}),
    links: swarm.links('s1'),
    managers: swarm.managers('s1'),
    blocked: swarm.blocked('s1'),
    known: swarm.known('s1'),
    messages: queryKeys.messages.list('s1', {}),
    swarm2: swarm.overview('s2'),
    members2: swarm.memberList('s2', {}),
    inbox: invitations.list(box),
    newest: invitations.head(box),
    invitation: invitations.item('i1'),
    badge: invitations.count,
  };
  const id = { id: 'r1' };
  const ofSwarm = { id: 'i1', swarm_id: 's1' };
  const device = id as Resource;
  const edited = { id: 's1', user_id: 'me', name: '', description: '', public: false, created_at: minuteOf(0) };

  /** `first:` only while it has no data, `later:` when it is shown next. The last column: if it differs for the user's own actions. */
  test.each<[change: Change, byEvent: string, byOwnAction?: string]>([
    [
      { type: 'resource.created', data: id },
      'account latest counts row choices map record first:devices',
      'account devices latest counts row choices map record first:devices',
    ],
    [
      { type: 'resource.updated', data: device },
      'latest counts row map members members2 first:devices',
      'activity latest counts row map members members2 first:devices later:devices',
    ],
    [
      { type: 'resource.destroyed', data: id },
      'account activity latest counts row map record roles sent members members2 first:devices',
      'account activity latest counts row map record roles sent members members2 first:devices later:devices',
    ],
    [{ type: 'map.changed', data: { audience: 'own' } }, 'latest counts row row2 map first:devices'],
    [
      { type: 'membership.changed', data: { swarm_id: 's1', resource_id: 'r1' } },
      'activity latest counts row row2 choices map roles swarms overview members known messages newest invitation badge first:devices first:inbox',
      'activity devices latest counts row row2 choices map roles swarms overview members known messages newest invitation badge first:devices first:inbox',
    ],
    [
      { type: 'membership.changed', data: {} },
      'activity latest counts row row2 choices map record roles sent device2 swarms overview members board links managers blocked known swarm2 members2 newest invitation badge first:devices first:inbox',
      'activity devices latest counts row row2 choices map record roles sent device2 swarms overview members board links managers blocked known swarm2 members2 newest invitation badge first:devices first:inbox',
    ],
    [{ type: 'swarm.created', data: { id: 's1' } }, 'swarms overview'],
    [
      { type: 'swarm.updated', data: edited },
      'activity latest counts row row2 choices record roles sent device2 swarms overview first:devices',
    ],
    [
      { type: 'swarm.destroyed', data: { id: 's1' } },
      'account activity latest counts row row2 choices map record roles sent device2 swarms overview members board links managers blocked known newest invitation badge first:devices first:inbox',
      'account activity devices latest counts row row2 choices map record roles sent device2 swarms overview members board links managers blocked known newest invitation badge first:devices first:inbox',
    ],
    [
      { type: 'invitation.sent', data: ofSwarm },
      'activity swarms overview board known newest invitation badge first:inbox',
    ],
    [
      { type: 'invitation.received', data: ofSwarm },
      'activity swarms overview board known newest invitation badge first:inbox',
    ],
    [
      { type: 'invitation.updated', data: ofSwarm as Invitation },
      'activity swarms overview board known newest invitation badge first:inbox',
      'activity swarms overview board known',
    ],
    [
      { type: 'invitation.withdrawn', data: ofSwarm },
      'activity swarms overview board known newest invitation badge first:inbox',
      'activity swarms overview board known',
    ],
    [
      { type: 'join_request.changed', data: ofSwarm as JoinRequest },
      'activity swarms overview board known newest invitation badge first:inbox',
    ],
    [
      { type: 'join_request.withdrawn', data: ofSwarm },
      'activity swarms overview board known newest invitation badge first:inbox',
    ],
    [{ type: 'blocked_users.changed', data: ofSwarm }, 'blocked newest invitation badge first:inbox'],
    [{ type: 'link.changed', data: ofSwarm }, 'activity links'],
    [
      { type: 'manager.changed', data: ofSwarm },
      'account activity offers swarms overview members board links managers blocked known newest invitation badge first:inbox',
    ],
    [{ type: 'presence.changed', data: id }, 'latest counts row map members members2 first:devices'],
    [{ type: 'refusals.changed', data: id }, 'latest counts row first:devices'],
    [{ type: 'handover.changed', data: id }, 'account activity offers record badge'],
    [{ type: 'notice.created', data: {} }, 'sessions activity'],
    [{ type: 'message.sent', data: { swarm_id: 's1', items: [], skipped: 0 } }, 'sent messages'],
    [{ type: 'messages.sent', data: { resource_id: 'r1' } }, 'sent'],
    [
      { type: 'reset', data: {} },
      'activity views webhook users offers latest counts row row2 choices map record roles sent device2 swarms overview members board links managers blocked known messages swarm2 members2 newest invitation badge first:devices first:inbox',
    ],
    [{ type: 'invitations.changed', data: {} }, 'newest invitation badge first:inbox'],
    [{ type: 'devices.changed', data: {} }, 'account activity devices latest counts row row2 choices map'],
    [{ type: 'api_keys.changed', data: {} }, 'account keys activity'],
    [{ type: 'webhook.changed', data: {} }, 'webhook'],
    [{ type: 'password.changed', data: {} }, 'sessions activity'],
    [{ type: 'saved_views.changed', data: {} }, 'views'],
    [{ type: 'sessions.changed', data: {} }, 'sessions'],
    [{ type: 'activity.read', data: {} }, 'activity'],
    [{ type: 'users.changed', data: {} }, 'users'],
    [{ type: 'everything.changed', data: {} }, Object.keys(keys).join(' ')],
  ])('$type $data', (change, byEvent, byOwnAction = byEvent) => {
    for (const key of Object.values(keys)) client.getQueryCache().build(client, { queryKey: key });
    const outdated = (isOwn: boolean) => {
      const { refetch = [], refetchIfNoData = [], refetchLater = [] } = patchByChanges(client, [change], { isOwn });
      const namesOf = (found: readonly QueryKey[], prefix = '') =>
        Object.entries(keys)
          .filter(([, key]) => found.some((each) => partialMatchKey(key, each)))
          .map(([name]) => prefix + name);
      return [...namesOf(refetch), ...namesOf(refetchIfNoData, 'first:'), ...namesOf(refetchLater, 'later:')].join(' ');
    };
    expect([outdated(false), outdated(true)]).toEqual([byEvent, byOwnAction]);
  });

  test('a request to join that was answered leaves the open ones, one that was changed does not', () => {
    const key = queryKeys.invitations.list(box);
    const list = () => client.setQueryData(key, { pages: [pageOf([itemOf('i1', 1)])], pageParams: [null] });
    const left = (status: JoinRequest['status']) => {
      list();
      patchByChanges(client, [{ type: 'join_request.changed', data: { ...ofSwarm, status } as JoinRequest }]);
      return client.getQueryData<InfiniteData<InvitationPage>>(key)?.pages[0]!.items.length;
    };
    expect([left('new'), left('accepted')]).toEqual([1, 0]);
  });

  test('a change that this version does not know makes nothing outdated', () => {
    const unknown = { type: 'moon.risen', data: {} } as unknown as Change;
    expect(patchByChanges(client, [unknown])).toEqual({ refetch: [], refetchIfNoData: [], refetchLater: [] });
  });
});
