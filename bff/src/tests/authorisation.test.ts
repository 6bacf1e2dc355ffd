// stores: SQLite, PostgreSQL
/**
 * Authorisation: every operation of the service by every actor, with a key and through the gateway, and every endpoint
 * of `/api` only, and every kind of action. An operation or an endpoint without a row fails.
 */
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Action,
  type ActionList,
  type ActionResults,
  type MemberRole,
  type NewShareLink,
  type Problem,
  type Session,
  problemCodes,
  type ProblemCode,
} from '../contract.ts';
import type { App } from '../app.ts';
import { hourMs } from '../core/limits/durations.ts';
import type { KeyScope } from '../core/limits/field-rules.ts';
import { policy, type Operation } from '../core/endpoint/policy.ts';
import { describeOnSqlite } from './on-sqlite.fixture.ts';
import { actionsOf } from './actions.fixture.ts';
import {
  actors,
  allActors,
  asked,
  asker,
  deviceOwner,
  formerActors,
  guest,
  linkHolder,
  managers,
  onlyKey,
  onlyOwner,
  operator,
  swarmGuest,
  swarmOwner,
  type ApiRow,
  type AsAction,
  type AuthRow,
  type OperationOfCapability,
  type OperationRow,
  type Others,
  type Rights,
  type ServiceClient,
  type Statuses,
  type TestData,
  watcher,
} from './rights.fixture.ts';
import { createServiceClient, outcomeOf } from './service-client.fixture.ts';
import {
  createTestServer,
  origin,
  password,
  entryPoints,
  type RequestOptions,
  type TestServer,
  type TestUser,
  type EntryPoint,
} from './test-server.fixture.ts';

const sources = dirname(import.meta.dirname);

/**
 * What these get: `ofAsked`, the user who was asked, if not the same as a recipient; `ofHolder`, `ofAsker` and `ofOperator`,
 * the link holder, the asker and the operator, if not the same as a stranger.
 */
function byActor(statuses: Statuses, { ofAsked, ofWatcher, ofHolder, ofAsker, ofOperator }: Others = {}) {
  const of = Object.fromEntries(actors.map((actor, index) => [actor, statuses[index]!]));
  const strangers = [...formerActors, linkHolder, asker, operator];
  return {
    ...of,
    ...Object.fromEntries(strangers.map((actor) => [actor, of['stranger']])),
    [guest]: of['nobody'],
    [swarmGuest]: of['nobody'],
    [watcher]: ofWatcher ?? of['member'],
    [asked]: ofAsked ?? of['recipient'],
    ...(ofHolder !== undefined && { [linkHolder]: ofHolder }),
    ...(ofAsker !== undefined && { [asker]: ofAsker }),
    ...(ofOperator !== undefined && { [operator]: ofOperator }),
  };
}

const coreTable: Partial<Record<Operation, OperationRow>> = {
  createResource: {
    request: () => ({ method: 'POST', path: '/resources', body: { name: 'a', machine_type: 'pc' } }),
    statuses: onlyKey(201),
    keepsData: true,
  },
  listResources: { request: () => ({ path: '/resources' }), statuses: onlyKey(200) },
  exportResources: { request: () => ({ path: '/export' }), statuses: onlyKey(200) },
  getResource: {
    request: ({ device }) => ({ path: `/resources/${device}` }),
    statuses: [200, 200, 200, 200, 404, 404, 401, 401],
  },
  updateResource: {
    request: ({ device }) => ({ method: 'PUT', path: `/resources/${device}`, body: {} }),
    statuses: deviceOwner(200),
    keepsData: true,
  },
  destroyResource: {
    request: ({ device }) => ({ method: 'DELETE', path: `/resources/${device}` }),
    statuses: deviceOwner(204),
  },
  listSwarmsOfResource: {
    request: ({ device }) => ({ path: `/resources/${device}/swarms` }),
    statuses: deviceOwner(200),
  },
  listInvitationsOfResource: {
    request: ({ device }) => ({ path: `/resources/${device}/invitations` }),
    statuses: deviceOwner(200),
  },
  answerInvitation: {
    request: ({ invited, invitation }) => ({
      method: 'PUT',
      path: `/resources/${invited}/invitations/${invitation}`,
      body: { status: 'reject' },
    }),
    statuses: [404, 404, 404, 404, 200, 404, 401, 401],
    ofAsked: 404,
    restore: inviteAnother,
  },
  listInvitations: { request: () => ({ path: '/invitations' }), statuses: onlyKey(200) },

  getRefusals: {
    request: ({ device }) => ({ path: `/resources/${device}/refusals` }),
    statuses: deviceOwner(200),
  },

  // A stream has no end, so only its header is requested.
  streamEvents: { request: () => ({ method: 'HEAD', path: '/events' }), statuses: onlyKey(200) },

  listActivity: { request: () => ({ path: '/activity' }), statuses: onlyKey(200) },
  markActivityRead: {
    request: () => ({ method: 'PUT', path: '/activity/read', body: { id: 0 } }),
    statuses: onlyKey(204),
    keepsData: true,
  },

  createSwarm: {
    request: () => ({ method: 'POST', path: '/swarms', body: { name: 's', description: '' } }),
    statuses: onlyKey(201),
    keepsData: true,
  },
  listSwarms: { request: () => ({ path: '/swarms' }), statuses: onlyKey(200) },
  listDirectory: { request: () => ({ path: '/directory' }), statuses: onlyKey(200) },
  getSwarm: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}` }),
    statuses: {
      hidden: [200, 200, 200, 200, 200, 404, 401, 401],
      public: [200, 200, 200, 200, 200, 200, 401, 401],
    },
  },
  updateSwarm: {
    request: ({ swarm }) => ({ method: 'PUT', path: `/swarms/${swarm}`, body: {} }),
    statuses: swarmOwner(200),
    keepsData: true,
  },
  destroySwarm: { request: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm}` }), statuses: swarmOwner(204) },
  addMember: {
    request: ({ swarm, spare }) => ({
      method: 'POST',
      path: `/swarms/${swarm}/resources`,
      body: { resource_id: spare, resource_type: 'both' },
    }),
    statuses: swarmOwner(201),
    restore: removeSpare,
  },
  listMembers: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/resources` }),
    statuses: {
      hidden: [200, 200, 200, 200, 403, 404, 401, 401],
      public: [200, 200, 200, 200, 403, 403, 401, 401],
    },
  },
  updateMember: {
    request: ({ swarm, device }) => ({
      method: 'PUT',
      path: `/swarms/${swarm}/resources/${device}`,
      body: { resource_type: 'consumer' },
    }),
    statuses: {
      hidden: [200, 200, 200, 403, 403, 404, 401, 401],
      public: [200, 200, 200, 403, 403, 403, 401, 401],
    },
    restore: rejoin,
  },
  removeMember: {
    request: ({ swarm, device }) => ({ method: 'DELETE', path: `/swarms/${swarm}/resources/${device}` }),
    statuses: {
      hidden: [204, 204, 204, 403, 403, 404, 401, 401],
      public: [204, 204, 204, 403, 403, 403, 401, 401],
    },
    restore: rejoin,
  },
  getSilenceNotices: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/silence-notices` }),
    statuses: managers(200),
    ofWatcher: 200,
  },
  setSilenceNotices: {
    request: ({ swarm }) => ({ method: 'PUT', path: `/swarms/${swarm}/silence-notices`, body: { enabled: true } }),
    statuses: managers(200),
    ofWatcher: 200,
    keepsData: true,
  },
  sendInvitation: {
    request: ({ swarm, invited }) => ({
      method: 'POST',
      path: `/swarms/${swarm}/invitations`,
      body: { to: 'recipient', resource_id: invited, resource_type: 'producer' },
    }),
    statuses: managers(201),
    restore: inviteAnother,
  },
  listSentInvitations: {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/invitations` }),
    statuses: managers(200),
  },
  withdrawInvitation: {
    request: ({ swarm, invitation }) => ({ method: 'DELETE', path: `/swarms/${swarm}/invitations/${invitation}` }),
    statuses: managers(204),
    restore: inviteAnother,
  },
};

/** A capability has its own rows. */
const ofCapabilities: Rights<object>[] = [];
const operationsOfCapabilities: Record<string, OperationOfCapability> = {};
const authOfCapabilities: Record<string, AuthRow> = {};
for (const file of globSync('capabilities/*/*.cases.ts', { cwd: sources })) {
  const { rights, operationRights, authRights } = (await import(resolve(sources, file))) as {
    rights?: Rights<object>;
    operationRights?: Record<string, OperationOfCapability>;
    authRights?: Record<string, AuthRow>;
  };
  if (rights) ofCapabilities.push(rights);
  Object.assign(operationsOfCapabilities, operationRights);
  Object.assign(authOfCapabilities, authRights);
}
const table = { ...coreTable, ...operationsOfCapabilities } as Record<Operation, OperationRow>;

const operations = Object.keys(table) as Operation[];

test('every operation has a row', () => {
  expect(operations.toSorted()).toEqual(Object.keys(policy).toSorted());
});

/** The data of the cases for `/api`: also objects of the owner's account. */
interface ApiTestData extends TestData {
  key: string;
  /** A key of `device`. */
  deviceKey: string;
  /** A session that sends no requests. */
  session: string;
  /** Actions of `owner`: one that waits, one whose items are not uploaded, and one that has failed. */
  waiting: string;
  uploading: string;
  failed: string;
}
const members = ['owner', 'manager', 'device owner', 'member', watcher] as const satisfies ServiceClient[];
const ofMembers: { hidden: Statuses; public: Statuses } = {
  hidden: [200, 200, 200, 200, 403, 404, 401, 401],
  public: [200, 200, 200, 200, 403, 403, 401, 401],
};
const bySwarm = (path: string, more = ''): ApiRow<ApiTestData> => ({
  request: ({ swarm }) => ({ path: `${path}?audience=swarm:${swarm}${more}` }),
  statuses: ofMembers,
});
const toPc = (device: string, more: object) => ({
  kind: 'update',
  about: { machine_type: 'pc' },
  wait: 0,
  items: [{ id: device, name: 'a' }],
  ...more,
});
const ofAction = (
  which: 'waiting' | 'uploading' | 'failed',
  what: string,
  status: number,
  body?: object,
): ApiRow<ApiTestData> => ({
  request: (data) => ({ method: 'POST', path: `/actions/${data[which]}/${what}`, ...(body && { body }) }),
  statuses: onlyOwner(status),
});
const onlyOperator = (path: string, ofOperator: number, method = 'GET'): ApiRow<ApiTestData> => ({
  request: () => ({ method, path }),
  statuses: onlyKey(403),
  ofOperator,
  keepsData: true,
});

/** Of what is made. */
let names = 0;

const apiTable: Record<string, ApiRow<ApiTestData>> = {
  'GET /api/account': { request: () => ({ path: '/account' }), statuses: onlyKey(200), ofLimited: true },
  // With the name of another user it is rejected for every actor.
  'DELETE /api/account': {
    request: () => ({ method: 'DELETE', path: '/account', body: { user_id: 'nobody-here' } }),
    statuses: onlyKey(400),
  },
  'GET /api/account/keys': {
    request: () => ({ path: '/account/keys' }),
    statuses: onlyKey(200),
    shows: { id: ({ key }) => key, to: ['owner'] },
  },
  'POST /api/account/keys': {
    request: () => ({ method: 'POST', path: '/account/keys', body: { name: 'k' } }),
    statuses: onlyKey(201),
    keepsData: true,
  },
  'DELETE /api/account/keys/:id': {
    request: ({ key }) => ({ method: 'DELETE', path: `/account/keys/${key}` }),
    statuses: onlyOwner(204),
  },
  'GET /api/account/sessions': {
    request: () => ({ path: '/account/sessions' }),
    statuses: onlyKey(200),
    shows: { id: ({ session }) => session, to: ['owner'] },
  },
  'DELETE /api/account/sessions': {
    request: () => ({ method: 'DELETE', path: '/account/sessions' }),
    statuses: onlyKey(204),
  },
  'DELETE /api/account/sessions/:id': {
    request: ({ session }) => ({ method: 'DELETE', path: `/account/sessions/${session}` }),
    statuses: onlyOwner(204),
  },
  // For devices of others, it responds with a list of failures.
  'POST /api/devices/keys': {
    request: ({ device }) => ({ method: 'POST', path: '/devices/keys', body: { resource_ids: [device] } }),
    statuses: onlyKey(201),
    keepsData: true,
    shows: { id: () => 'swb_', to: ['device owner'] },
  },
  'GET /api/devices/:id/keys': {
    request: ({ device }) => ({ path: `/devices/${device}/keys` }),
    statuses: deviceOwner(200),
    shows: { id: ({ deviceKey }) => deviceKey, to: ['device owner'] },
  },
  'POST /api/devices/:id/keys': {
    request: ({ device }) => ({ method: 'POST', path: `/devices/${device}/keys`, body: { name: 'k' } }),
    statuses: deviceOwner(201),
    keepsData: true,
  },
  'DELETE /api/devices/:id/keys/:key': {
    request: ({ device, deviceKey }) => ({ method: 'DELETE', path: `/devices/${device}/keys/${deviceKey}` }),
    statuses: deviceOwner(204),
  },
  'GET /api/events': { request: () => ({ method: 'HEAD', path: '/events' }), statuses: onlyKey(200) },
  'GET /api/devices': {
    request: ({ device }) => ({ path: `/devices?audience=visible&q=${device}` }),
    statuses: onlyKey(200),
    shows: { id: ({ device }) => device, to: [...members] },
  },
  'GET /api/values/keys': { request: () => ({ path: '/values/keys?audience=visible' }), statuses: onlyKey(200) },
  'GET /api/devices/by-id': {
    request: ({ device }) => ({ path: `/devices/by-id?ids=${device}` }),
    statuses: onlyKey(200),
    shows: { id: ({ device }) => device, to: ['device owner'] },
  },
  'GET /api/devices/:id': {
    request: ({ device }) => ({ path: `/devices/${device}?audience=visible` }),
    statuses: [200, 200, 200, 200, 404, 404, 401, 401],
  },
  'GET /api/swarms/:swarm_id/members': {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/members` }),
    statuses: ofMembers,
    shows: { id: ({ device }) => device, to: [...members] },
  },
  'GET /api/map': bySwarm('/map', '&zoom=3'),
  'GET /api/wall': bySwarm('/wall'),
  'GET /api/inbox': {
    request: () => ({ path: '/inbox' }),
    statuses: onlyKey(200),
    shows: { id: ({ invitation }) => invitation, to: ['recipient'] },
  },
  'GET /api/inbox/count': { request: () => ({ path: '/inbox/count' }), statuses: onlyKey(200) },
  'GET /api/inbox/summary': {
    request: () => ({ path: '/inbox/summary?box=sent' }),
    statuses: onlyKey(200),
    shows: { id: ({ swarm }) => swarm, to: ['owner', asker] },
  },
  'GET /api/inbox/:invitation_id': {
    request: ({ invitation }) => ({ path: `/inbox/${invitation}` }),
    statuses: [200, 404, 404, 404, 200, 404, 401, 401],
    ofAsked: 404,
  },
  'GET /api/swarms/:swarm_id/board': {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/board` }),
    statuses: managers(200),
  },
  'GET /api/swarm-list': {
    request: ({ swarm }) => ({ path: `/swarm-list?q=${swarm}` }),
    statuses: onlyKey(200),
    shows: { id: ({ swarm }) => swarm, to: [...members] },
  },
  'GET /api/swarms/:swarm_id/overview': {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/overview` }),
    statuses: {
      hidden: [200, 200, 200, 200, 200, 404, 401, 401],
      public: [200, 200, 200, 200, 200, 200, 401, 401],
    },
  },
  'GET /api/swarms/:swarm_id/flow': {
    request: ({ swarm }) => ({ path: `/swarms/${swarm}/flow` }),
    statuses: {
      hidden: [200, 200, 200, 200, 200, 404, 401, 401],
      public: [200, 200, 200, 200, 200, 200, 401, 401],
    },
  },
  'GET /api/account/push': { request: () => ({ path: '/account/push' }), statuses: onlyKey(200) },
  'PUT /api/account/push': {
    request: () => ({
      method: 'PUT',
      path: '/account/push',
      body: {
        endpoint: 'https://example.invalid',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        language: 'en',
        shows_names: false,
      },
    }),
    statuses: onlyKey(204),
    keepsData: true,
  },
  'DELETE /api/account/push': {
    request: () => ({ method: 'DELETE', path: '/account/push' }),
    statuses: onlyKey(204),
    keepsData: true,
  },
  'GET /api/account/webhook': { request: () => ({ path: '/account/webhook' }), statuses: onlyKey(200) },
  'PUT /api/account/webhook': {
    request: () => ({ method: 'PUT', path: '/account/webhook', body: { url: 'https://example.invalid' } }),
    statuses: onlyKey(200),
    keepsData: true,
  },
  'POST /api/account/webhook/test': {
    request: () => ({ method: 'POST', path: '/account/webhook/test' }),
    statuses: onlyKey(202),
    keepsData: true,
  },
  'DELETE /api/account/webhook': {
    request: () => ({ method: 'DELETE', path: '/account/webhook' }),
    statuses: onlyKey(204),
    keepsData: true,
  },
  'GET /api/actions': {
    request: () => ({ path: '/actions' }),
    statuses: onlyKey(200),
    shows: { id: ({ waiting }) => waiting, to: ['owner'] },
  },
  'GET /api/actions/history': {
    request: () => ({ path: '/actions/history' }),
    statuses: onlyKey(200),
    shows: { id: ({ failed }) => failed, to: ['owner'] },
  },
  'POST /api/actions': {
    request: ({ device }) => ({ method: 'POST', path: '/actions', body: toPc(device, { id: randomUUID() }) }),
    statuses: onlyKey(201),
    keepsData: true,
  },
  'PUT /api/actions/:id/parts/:part': {
    request: ({ uploading, device }) => ({
      method: 'PUT',
      path: `/actions/${uploading}/parts/0`,
      body: { items: [{ id: device, name: 'a' }] },
    }),
    statuses: onlyOwner(204),
  },
  'POST /api/actions/:id/start': ofAction('uploading', 'start', 409),
  'POST /api/actions/:id/wait': { ...ofAction('waiting', 'wait', 200, { seconds: 60 }), keepsData: true },
  'POST /api/actions/:id/undo': ofAction('waiting', 'undo', 204),
  'POST /api/actions/:id/pause': ofAction('waiting', 'pause', 200),
  'POST /api/actions/:id/resume': ofAction('waiting', 'resume', 409),
  'POST /api/actions/:id/stop': ofAction('uploading', 'stop', 204),
  'POST /api/actions/:id/dismiss': ofAction('failed', 'dismiss', 200),
  'POST /api/actions/:id/retry': ofAction('failed', 'retry', 201),
  'GET /api/actions/:id/results': {
    request: ({ failed }) => ({ path: `/actions/${failed}/results` }),
    statuses: onlyOwner(200),
    shows: { id: ({ device }) => device, to: ['owner'] },
  },
  'GET /api/operator/users': {
    ...onlyOperator('/operator/users?q=own', 200),
    shows: { id: () => '"owner"', to: ['operator'] },
  },
  'GET /api/operator/users/:name': onlyOperator('/operator/users/owner', 200),
  'GET /api/operator/stats': onlyOperator('/operator/stats', 200),
  ...Object.fromEntries(
    ['disable', 'enable', 'sign-out'].map((action) => [
      `POST /api/operator/users/:name/${action}`,
      onlyOperator(`/operator/users/disabled-user/${action}`, 204, 'POST'),
    ]),
  ),
  'POST /api/operator/users/:name/link': {
    ...onlyOperator('/operator/users/owner/link', 201, 'POST'),
    request: () => ({ method: 'POST', path: '/operator/users/owner/link', body: {} }),
  },
};
for (const { rows } of ofCapabilities) Object.assign(apiTable, rows);

let server: TestServer;
let users: Record<ServiceClient, TestUser | undefined>;
beforeAll(async () => {
  server = await createTestServer();
  // Nothing that has ended is deleted.
  await server.app.consentEnds.close();
  const names = ['owner', 'a-manager', 'device-owner', 'member', 'recipient', 'stranger'];
  const [owner, manager, device, member, recipient, stranger] = await Promise.all(
    names.map((name) => server.signUp(name)),
  );
  const wrong = {
    name: 'nobody',
    key: `${owner!.key.slice(0, -1)}${owner!.key.endsWith('a') ? 'b' : 'a'}`,
    cookie: 'a=b',
  };
  const [rejected, left, removed, ended, endedWatcher] = await Promise.all(
    formerActors.map((name) => server.signUp(name.replace(' ', '-'))),
  );
  users = {
    owner,
    manager,
    'device owner': device,
    member,
    recipient,
    stranger,
    nobody: undefined,
    'wrong key': wrong,
    rejected,
    left,
    removed,
    ended,
    'ended watcher': endedWatcher,
    [watcher]: await server.signUp('a-watcher'),
    [asked]: await server.signUp('asked-user'),
    [linkHolder]: await server.signUp('link-holder'),
    [asker]: await server.signUp('asker'),
    [operator]: await server.signUp('an-operator'),
    [guest]: undefined,
    [swarmGuest]: undefined,
  };
  await server.signUp('disabled-user');
  const others = Object.values(users).flatMap((user) => (user && user !== owner && user !== wrong ? user.name : []));
  for (const { prepare } of ofCapabilities) await prepare?.({ db: server.db, others });
  await server.app.operator.setRole({ name: 'an-operator', role: 'operator' });
});
afterAll(() => server[Symbol.asyncDispose]());

async function create(who: TestUser, path: string, body: object, by: EntryPoint = 'direct'): Promise<string> {
  const answer = await server.request(by, who, { method: 'POST', path, body });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

const createResource = (who: TestUser) => create(who, '/resources', { name: 'a', machine_type: 'pc' });

/** Devices that are the same in all data. */
const formerDevices: Partial<Record<ServiceClient, string>> = {};
let askerDevices: [string, string] | undefined;

async function invite(swarm: string, who: TestUser, resource_id: string, role: string, status: 'accept' | 'reject') {
  const body = { to: who.name, resource_id, resource_type: role };
  const id = await create(users.owner!, `/swarms/${swarm}/invitations`, body);
  const answer = { method: 'PUT', path: `/resources/${resource_id}/invitations/${id}`, body: { status } };
  expect((await server.request('direct', who, answer)).status).toBe(200);
}
async function join(swarm: string, who: TestUser, device: string) {
  for (const role of ['producer', 'consumer']) await invite(swarm, who, device, role, 'accept');
}

/** What rows need, and their writes use up. */
async function inviteAnother({ swarm }: Pick<TestData, 'swarm'>) {
  const invited = await createResource(users.recipient!);
  const body = { to: 'recipient', resource_id: invited, resource_type: 'consumer' };
  return { invited, invitation: await create(users.owner!, `/swarms/${swarm}/invitations`, body) };
}
async function openAnotherLink({ swarm }: Pick<TestData, 'swarm'>) {
  const link = await clientOf(users.owner!).link({ id: swarm });
  const { pass } = await clientOf(users[linkHolder]!).open(link);
  return { link: { ...link, pass } };
}
async function offerSwarm({ swarm }: Pick<TestData, 'swarm'>) {
  expect((await clientOf(users.owner!).offerSwarm({ id: swarm }, users.manager!.name)).status).toBe(200);
}
async function offerDevice({ device }: Pick<TestData, 'device'>) {
  expect((await clientOf(users['device owner']!).offerDevice({ id: device }, offeredTo())).status).toBe(200);
}
async function showDevice({ device }: Pick<TestData, 'device'>) {
  const shown = await clientOf(users['device owner']!).make<NewShareLink>(`/resources/${device}/share-links`, {
    name: 'Ferry',
    expires_at: inAnHour(),
  });
  return { shareLink: { id: shown.id, code: codeOf(shown) } };
}
async function removeSpare({ swarm, spare }: TestData) {
  expect((await clientOf(users.owner!).leave({ id: swarm }, { id: spare })).status).toBe(204);
}
/** The device has left, or is only a consumer. */
async function rejoin({ swarm, device }: TestData) {
  const client = clientOf(users['device owner']!);
  await client.leave({ id: swarm }, { id: device });
  await join(swarm, users['device owner']!, device);
}

async function createTestData({ open }: { open: boolean }): Promise<TestData> {
  const { owner, manager, 'device owner': deviceOwnerHere, member } = users as Record<string, TestUser>;
  const swarm = await create(owner!, '/swarms', { name: 's', description: 'd', public: true });
  const [device, other, spare] = await Promise.all([deviceOwnerHere!, member!, owner!].map(createResource));
  await join(swarm, deviceOwnerHere!, device!);
  await join(swarm, member!, other!);
  for (const former of formerActors) {
    if (former === 'ended watcher') continue;
    // A device that stays in each swarm would be in too many.
    if (former === 'ended') delete formerDevices[former];
    const resource_id = (formerDevices[former] ??= await createResource(users[former]!));
    await invite(swarm, users[former]!, resource_id, 'producer', former === 'rejected' ? 'reject' : 'accept');
    if (former === 'rejected' || former === 'ended') continue;
    const end = { method: 'DELETE', path: `/swarms/${swarm}/resources/${resource_id}` };
    expect((await server.request('direct', users[former === 'removed' ? 'owner' : former], end)).status).toBe(204);
  }
  const invitation = await inviteAnother({ swarm });
  const joining = (formerDevices[linkHolder] ??= await createResource(users[linkHolder]!));
  await clientOf(owner!).nameManager({ id: swarm }, manager!.name);
  expect((await clientOf(manager!).agree({ id: swarm }, manager!.name)).status).toBe(200);
  await offerSwarm({ swarm });
  await clientOf(owner!).nameManager({ id: swarm }, users[watcher]!.name, 'watcher');
  expect((await clientOf(users[watcher]!).agree({ id: swarm }, users[watcher]!.name)).status).toBe(200);
  const { name: endedWatcher } = users['ended watcher']!;
  await clientOf(owner!).nameManager({ id: swarm }, endedWatcher, 'watcher');
  expect((await clientOf(users['ended watcher']!).agree({ id: swarm }, endedWatcher)).status).toBe(200);
  const longAgo = ['2020-01-01T00:00:00.000Z', swarm];
  await server.db.write([
    {
      sql: 'UPDATE memberships SET ends_at = $1 WHERE swarm_id = $2 AND resource_id = $3',
      params: [...longAgo, formerDevices['ended']!],
    },
    {
      sql: 'UPDATE managers SET ends_at = $1 WHERE swarm_id = $2 AND user_id = $3',
      params: [...longAgo, endedWatcher],
    },
  ]);
  await clientOf(owner!).nameManager({ id: swarm }, users[asked]!.name);
  const link = await openAnotherLink({ swarm });
  // The owner of the device has an open link, and an offer, for each of the last data.
  const old = 'SELECT id FROM share_links ORDER BY created_at DESC LIMIT 20 OFFSET 20';
  const offered = 'SELECT resource_id FROM resource_offers ORDER BY offered_at DESC LIMIT 20 OFFSET 20';
  await server.db.write([
    { sql: `DELETE FROM share_links WHERE id IN (${old})` },
    { sql: `DELETE FROM resource_offers WHERE resource_id IN (${offered})` },
  ]);
  await offerDevice({ device: device! });
  const ofSwarm = await clientOf(owner!).make<NewShareLink>(`/swarms/${swarm}/share-links`, {
    name: 'Race',
    expires_at: inAnHour(),
  });
  const [first, asking] = (askerDevices ??= [await createResource(users[asker]!), await createResource(users[asker]!)]);
  const requested = await create(users[asker]!, `/swarms/${swarm}/requests`, {
    resource_id: first,
    resource_type: 'producer',
  });
  if (!open) await clientOf(owner!).change(`/swarms/${swarm}`, { public: false });
  return {
    swarm,
    device: device!,
    spare: spare!,
    ...invitation,
    ...link,
    ...(await showDevice({ device: device! })),
    swarmLink: { id: ofSwarm.id, code: codeOf(ofSwarm) },
    joining,
    requested,
    asking,
    inAnHour: inAnHour(),
  };
}

const offeredTo = () => users[asked]!.name;
const inAnHour = () => new Date(server.now().getTime() + hourMs).toISOString();
const codeOf = ({ url }: NewShareLink) => new URL(url).hash.slice(1);
/** A guest has only the code of a link. */
function sentBy(actor: ServiceClient, sent: RequestOptions, { shareLink, swarmLink }: TestData): RequestOptions {
  if (actor !== guest && actor !== swarmGuest) return sent;
  const { code } = actor === guest ? shareLink : swarmLink;
  return { ...sent, headers: { ...sent.headers, 'x-share-code': code } };
}

const isWrite = ({ method = 'GET' }: RequestOptions) => !['GET', 'HEAD'].includes(method);

/** Returns the same data until `isChanged` is called, so that new data is created only after a successful write. */
function reusedData<Data extends { swarm: string }>(create: (options: { open: boolean }) => Promise<Data>) {
  const known = new Map<boolean, { data: Data; isChanged: boolean }>();
  return {
    async get({ open }: { open: boolean }): Promise<Data> {
      const before = known.get(open);
      if (before?.isChanged === false) return before.data;
      // Few requests of one owner to one user may be unanswered.
      const user = users[asked]!;
      if (before) await clientOf(user).removeManager({ id: before.data.swarm }, user.name);
      const data = await create({ open });
      known.set(open, { data, isChanged: false });
      return data;
    },
    isChanged({ open }: { open: boolean }) {
      known.get(open)!.isChanged = true;
    },
  };
}

const testData = reusedData(createTestData);

/** Sends the request as every actor. Returns the status that each gets. */
async function statusesOf(options: {
  open: boolean;
  keepsData: boolean | undefined;
  restore: OperationRow['restore'];
  request: (data: TestData) => RequestOptions;
  send: (user: TestUser | undefined, request: RequestOptions) => Promise<number>;
}) {
  const { open, keepsData = false, restore, request, send } = options;
  const statuses: Record<string, number> = {};
  for (const actor of allActors) {
    const data = await testData.get({ open });
    const sent = sentBy(actor, request(data), data);
    const status = await send(users[actor], sent);
    if (isWrite(sent) && status < 400 && !keepsData)
      if (restore) Object.assign(data, await restore(data, (actor) => clientOf(users[actor]!)));
      else testData.isChanged({ open });
    statuses[actor] = status;
  }
  return statuses;
}

/** An action with one item, for each kind of which the endpoint of an operation does the same. */
const asAction: Partial<Record<Operation, AsAction>> = {
  createResource: () => ({ kind: 'import', about: file, item: { line: 1, name: 'a', create: newDevice } }),
  updateResource: ({ device }) => ({ kind: 'update', about: { description: 'changed' }, item: named(device) }),
  destroyResource: ({ device }) => ({ kind: 'delete', about: {}, item: named(device) }),
  destroySwarm: ({ swarm }) => ({ kind: 'delete_swarm', about: {}, item: named(swarm) }),
  addMember: ({ swarm, spare }) => ({ kind: 'add_member', about: inRole(swarm, 'both'), item: named(spare) }),
  updateMember: ({ swarm, device }) => ({
    kind: 'change_role',
    about: inRole(swarm, 'consumer'),
    item: named(device),
  }),
  removeMember: ({ swarm, device }) => ({
    kind: 'remove_member',
    about: { swarm: named(swarm) },
    item: named(device),
  }),
  sendInvitation: ({ swarm, invited: resource_id }) => ({
    kind: 'invite',
    about: { swarm: named(swarm) },
    item: { line: 1, to: 'recipient', resource_id, resource_type: 'producer' },
  }),
  withdrawInvitation: ({ invitation }) => ({ kind: 'withdraw', about: {}, item: named(invitation) }),
  answerInvitation: ({ invitation }) => ({
    kind: 'answer',
    about: { answer: 'reject' },
    item: { ...named(invitation), swarm: 's' },
  }),
};
/** Other kinds, and whose endpoint they are like, but for these statuses. */
const alike: [Operation, AsAction, Pick<(typeof table)[Operation], 'statuses'>?][] = [
  ['sendInvitation', ({ invitation }) => ({ kind: 'invite_again', about: {}, item: named(invitation) })],
  [
    'sendInvitation',
    ({ swarm, device }) => ({
      kind: 'offer_end',
      about: { swarm: named(swarm), ends_at: '2026-01-01T00:00:00.000Z' },
      item: named(device),
    }),
    // This end is past.
    { statuses: managers(400) },
  ],
  [
    'updateMember',
    ({ swarm, device }) => ({ kind: 'narrow_role', about: inRole(swarm, 'consumer'), item: named(device) }),
  ],
  [
    'updateMember',
    ({ swarm, device }) => ({
      kind: 'extend_member',
      about: { swarm: named(swarm), ends_at: '2026-01-01T00:00:00.000Z' },
      item: named(device),
    }),
  ],
  [
    'updateResource',
    ({ device }) => ({
      kind: 'import',
      about: file,
      item: { line: 1, ...named(device), update: { description: 'b' } },
    }),
  ],
];
const file = { file: 'devices.csv', hash: 'a' };
const newDevice = { name: 'a', machine_type: 'pc' };
const named = (id: string) => ({ id, name: 'shown' });
const inRole = (swarm: string, resource_type: MemberRole) => ({ swarm: named(swarm), resource_type });
/** An action calls what the endpoint calls, so the tests of the second store have the endpoints only. */
const actionsOfCapabilities = Object.entries(operationsOfCapabilities).flatMap(([operation, { action }]) =>
  action ? [[operation, action]] : [],
);
const kinds = [...Object.entries(asAction), ...actionsOfCapabilities, ...alike] as typeof alike;

const clientOf = (user: TestUser) => createServiceClient(user.name, (asked) => server.request('gateway', user, asked));

describeOnSqlite('an action gets the same result as the endpoint', () => {
  test.each(kinds.map((kind) => [kind[1]({} as TestData).kind, ...kind] as const))(
    '%s, as %s',
    async (_kind, operation, action, other) => {
      const { statuses, ofAsked, ofHolder, ofAsker, keepsData, restore } = { ...table[operation], ...other };
      const expected = 'hidden' in statuses ? statuses.hidden : statuses;
      const actual = await statusesOf({
        open: false,
        keepsData,
        restore,
        request: (data) => ({ method: 'POST', path: '/actions', body: action(data) }),
        async send(user, { path, body }) {
          const { item, ...start } = body as { item: object };
          const id = randomUUID();
          const started = { id, ...start, wait: 0, items: [item] };
          const sent = await server.request('gateway', user, { method: 'POST', path, body: started });
          if (!sent.ok) return sent.status;
          await actionsOf(clientOf(user!)).ended(id);
          const found = await server.request('gateway', user, { path: `/actions/${id}/results` });
          const [ended] = ((await found.json()) as ActionResults).results;
          return ended!.result ? problemCodes[ended!.result.code as ProblemCode][0] : 200;
        },
      });
      expect(actual).toEqual(
        byActor(expected.map((status) => (status < 300 ? 200 : status)) as Statuses, {
          ...(ofAsked && { ofAsked }),
          ...(ofHolder && { ofHolder: 200 }),
          ...(ofAsker && { ofAsker: ofAsker < 300 ? 200 : ofAsker }),
        }),
      );
    },
  );
});

/** The scope of an account's key that may do it, besides `all`. */
const scopeOf: Partial<Record<Operation, KeyScope>> = {
  createResource: 'all',
  listResources: 'read',
  exportResources: 'read',
  getResource: 'read',
  updateResource: 'position',
  destroyResource: 'all',
  listSwarmsOfResource: 'read',
  getRefusals: 'read',
  createSwarm: 'all',
  listSwarms: 'read',
  listDirectory: 'read',
  getSwarm: 'read',
  updateSwarm: 'all',
  destroySwarm: 'all',
  getSilenceNotices: 'read',
  setSilenceNotices: 'all',
  addMember: 'all',
  listMembers: 'read',
  updateMember: 'all',
  removeMember: 'all',
  sendInvitation: 'all',
  listSentInvitations: 'read',
  withdrawInvitation: 'all',
  answerInvitation: 'all',
  listInvitationsOfResource: 'read',
  listInvitations: 'read',
  streamEvents: 'read',
  listActivity: 'read',
  markActivityRead: 'all',
};
describeOnSqlite('an account’s key with the scope', () => {
  const unknown = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
  const keys = new Map<string, string>();
  async function keyOf(actor: ServiceClient, scope: KeyScope) {
    const name = `${actor} ${scope}`;
    const key = keys.get(name) ?? (await scopedKey(users[actor]!, scope));
    keys.set(name, key);
    return { ...users[actor]!, key };
  }

  describe.each(['read', 'position'] as const)('%s', (scope) => {
    test.each(operations)('%s', async (operation) => {
      const data = await testData.get({ open: true });
      const { request } = table[operation];
      for (const actor of ['owner', 'device owner'] as const) {
        const sent = sentBy(actor, request(data), data);
        const key = await keyOf(actor, scope);
        const answer = await server.request('direct', key, sent);
        if ((scopeOf[operation] ?? operationsOfCapabilities[operation]?.scope) === scope) {
          // What the user may do, in another test, changes something.
          if (isWrite(sent) && operation === 'updateResource') testData.isChanged({ open: true });
          const same = await server.request('direct', users[actor], sent);
          expect([actor, answer.status]).toEqual([actor, same.status]);
          continue;
        }
        expect([actor, answer.status]).toEqual([actor, 403]);
        if (sent.method === 'HEAD') continue;
        const { code, detail } = (await answer.json()) as Problem;
        expect([code, detail]).toEqual(['key.scope', expect.stringContaining(`the scope ${scope}:`)]);
        const missing = { ...sent, path: sent.path.replaceAll(/[0-9a-f-]{36}/g, unknown) };
        expect(await bytes('direct', key, missing)).toBe(await bytes('direct', key, sent));
      }
    });
  });

  test('position: only the fields of a position, whatever the device', async () => {
    const { device } = await testData.get({ open: true });
    const key = await keyOf('device owner', 'position');
    const put = (id: string, body: object) =>
      server.request('direct', key, { method: 'PUT', path: `/resources/${id}`, body });
    const position = { longitude: 13, latitude: 52 };
    expect((await put(device, { position, accuracy: 5, positioned_at: server.now().toISOString() })).status).toBe(200);
    for (const id of [device, unknown])
      for (const body of [{ position, name: 'x' }, { description: null }, { position, unknown: 1 }])
        expect(await (await put(id, body)).json()).toMatchObject({ status: 403, code: 'key.scope' });
    testData.isChanged({ open: true });
  });

  test('anything is not for the gateway, which ignores it', async () => {
    const { key } = await keyOf('owner', 'all');
    const answer = await server.fetch('/api/resources', { headers: { 'x-serviceapikey': key } });
    expect(answer.status).toBe(401);
  });
});

async function scopedKey(user: TestUser, scope: KeyScope): Promise<string> {
  const body = { name: scope, scope };
  const made = await server.request('gateway', user, { method: 'POST', path: '/account/keys', body });
  return ((await made.json()) as { key: string }).key;
}

/** What a key of the device may do with it. Everything else gets the same response, also what does not exist. */
const ofDeviceKey: Partial<Record<Operation, number>> = {
  getResource: 200,
  updateResource: 200,
  listSwarmsOfResource: 200,
  getRefusals: 200,
};
describe('the key of a device', () => {
  const unknown = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
  const keys = new Map<string, string>();
  let another: string | undefined;
  async function keyOf(device: string) {
    const key = keys.get(device) ?? (await server.app.operator.createDeviceKey({ device, name: 'k' })).key;
    keys.set(device, key);
    return { ...users['device owner']!, key };
  }
  test.each(operations)('%s', async (operation) => {
    const data = await testData.get({ open: true });
    const { request } = table[operation];
    const sent = request(data);
    const own = await keyOf(data.device);
    const answer = await server.request('direct', own, sent);
    const allowed = ofDeviceKey[operation] ?? operationsOfCapabilities[operation]?.ofDeviceKey;
    expect(answer.status, await answer.clone().text()).toBe(allowed ?? 403);
    if (allowed === undefined && sent.method !== 'HEAD')
      expect(await answer.json()).toMatchObject({ code: 'key.not_allowed' });
    // Another device of the same owner.
    const other = await keyOf((another ??= await createResource(users['device owner']!)));
    // Of a capability that names no device: it is about the one of its key.
    const namesDevice = sent.path.includes(data.device);
    const ofOther = (namesDevice ? undefined : operationsOfCapabilities[operation]?.ofDeviceKey) ?? 403;
    expect((await server.request('direct', other, sent)).status).toBe(ofOther);
    const missing = { ...sent, path: sent.path.replaceAll(/[0-9a-f-]{36}/g, unknown) };
    if (missing.path !== sent.path)
      expect(await bytes('direct', own, missing)).toBe(await bytes('direct', other, sent));
  });

  test('is not for the gateway, which ignores it', async () => {
    const { device } = await testData.get({ open: true });
    const { key } = await keyOf(device);
    const answer = await server.fetch(`/api/devices/${device}/keys`, { headers: { 'x-serviceapikey': key } });
    expect(answer.status).toBe(401);
  });
});

describe.each(entryPoints)('%s', (entryPoint) => {
  for (const [operation, row] of Object.entries(table)) {
    const { request, statuses, ofPublicAsker, keepsData, restore, ...others } = row;
    const cases = 'hidden' in statuses ? statuses : { hidden: statuses };
    for (const [swarm, expected] of Object.entries(cases) as ['hidden' | 'public', Statuses][]) {
      test(`${operation}, in a ${swarm} swarm`, async () => {
        const actual = await statusesOf({
          open: swarm === 'public',
          keepsData,
          restore,
          request,
          send: async (user, asked) => (await server.request(entryPoint, user, asked)).status,
        });
        const isPublic = swarm === 'public' && ofPublicAsker !== undefined;
        expect(actual).toEqual(byActor(expected, { ...others, ...(isPublic && { ofAsker: ofPublicAsker }) }));
      });
    }
  }

  test.each([
    ['resources', 'device', ['GET', 'PUT', 'DELETE']],
    ['swarms', 'swarm', ['GET', 'PUT', 'DELETE']],
  ] as const)(
    'foreign, unknown and malformed ids of %s get identical responses except for the request id',
    async (noun, which, methods) => {
      const foreign = (await testData.get({ open: false }))[which];
      const ids = [foreign, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10', 'x', '%2f', `${foreign}0`, foreign.toUpperCase()];
      const asked = ids.flatMap((id) => methods.map((method) => ({ method, path: `/${noun}/${id}` })));
      const bodies = await Promise.all(asked.map((each) => bytes(entryPoint, users.stranger, each)));
      expect(new Set(bodies).size).toBe(1);
    },
  );

  test('an export has only own devices, and an activity log only what concerns its user', async () => {
    const { swarm, device, invited } = await testData.get({ open: true });
    const shown = async (path: string, id: string) => {
      const found: ServiceClient[] = [];
      for (const actor of actors) {
        if ((await (await server.request(entryPoint, users[actor], { path })).text()).includes(id)) found.push(actor);
      }
      return found;
    };
    for (const format of ['csv', 'geojson']) {
      expect(await shown(`/export?format=${format}`, device)).toEqual(['device owner']);
      expect(await shown(`/export?format=${format}&audience=visible&q=${device}`, device)).toEqual(['device owner']);
    }
    expect(await shown(`/activity?resource_id=${device}&limit=200`, device)).toEqual(['owner', 'device owner']);
    expect(await shown(`/activity?resource_id=${invited}&limit=200`, invited)).toEqual(['owner', 'recipient']);
    expect(await shown(`/activity?swarm_id=${swarm}&limit=200`, swarm)).toEqual([
      'owner',
      'manager',
      'device owner',
      'member',
      'recipient',
    ]);
  });

  test('a missing and a wrong credential get identical responses except for the request id', async () => {
    const asked = { path: '/resources' };
    expect(await bytes(entryPoint, undefined, asked)).toBe(await bytes(entryPoint, users['wrong key'], asked));
  });

  test('the response to an invitation does not reveal whether a user exists', async () => {
    const { swarm, device } = await testData.get({ open: false });
    const send = (to: string) =>
      bytes(entryPoint, users.owner, {
        method: 'POST',
        path: `/swarms/${swarm}/invitations`,
        body: { to, resource_id: device, resource_type: 'consumer' },
      });
    expect(await send('stranger')).toBe(await send('no-such-user'));
    testData.isChanged({ open: false });
  });
});

/** The actions of the data for each kind of swarm: those of one stay while the other is made. */
const actionsOfData = new Map<boolean, readonly string[]>();

/** Data with objects of the owner's account, including a session that sends no requests. */
async function createApiTestData(options: { open: boolean }): Promise<ApiTestData> {
  const owner = users.owner!;
  const request = async <T>(asked: RequestOptions) =>
    (await (await server.request('gateway', owner, asked)).json()) as T;
  const key = await request<{ id: string }>({ method: 'POST', path: '/account/keys', body: { name: 'a device' } });
  const own = Object.assign(
    {},
    ...(await Promise.all(ofCapabilities.map((rights) => rights.data({ name: owner.name, db: server.db, request })))),
  ) as object;
  await server.fetch('/auth/sign-in/username', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: owner.name, password }),
  });
  const { items } = await request<{ items: Session[] }>({ path: '/account/sessions' });
  const session = items.find(({ current }) => !current)!.id;
  const data = await createTestData(options);
  const deviceKey = await create(users['device owner']!, `/devices/${data.device}/keys`, { name: 'k' }, 'gateway');
  const [waiting, uploading, failed] = Array.from({ length: 3 }, () => randomUUID());
  actionsOfData.set(options.open, [waiting!, uploading!, failed!]);
  const start = (body: object) => request<Action>({ method: 'POST', path: '/actions', body });
  const { actions } = await request<ActionList>({ path: '/actions' });
  const ofOtherData = actionsOfData.get(!options.open) ?? [];
  for (const { id } of actions.filter((action) => !ofOtherData.includes(action.id)))
    for (const end of ['undo', 'dismiss'])
      await request({ method: 'POST', path: `/actions/${id}/${end}` }).catch(() => {});
  await start(toPc(data.spare, { id: waiting, wait: 60 }));
  await start(toPc(data.spare, { id: uploading, items: undefined, total: 1 }));
  // Not a device of this user.
  await start(toPc(data.device, { id: failed }));
  await actionsOf(clientOf(owner)).ended(failed!);
  return {
    ...data,
    key: key.id,
    deviceKey,
    session,
    ...own,
    waiting: waiting!,
    uploading: uploading!,
    failed: failed!,
  };
}

const apiTestData = reusedData(createApiTestData);

describe('endpoints of /api only', () => {
  for (const [endpoint, { request, statuses, shows, keepsData = false, ...others }] of Object.entries(apiTable)) {
    const cases = 'hidden' in statuses ? statuses : { hidden: statuses };
    for (const [swarm, expected] of Object.entries(cases) as ['hidden' | 'public', Statuses][]) {
      test(`${endpoint}, in a ${swarm} swarm`, async () => {
        const open = swarm === 'public';
        const answered: Record<string, number> = {};
        const shown: ServiceClient[] = [];
        const data = await apiTestData.get({ open });
        // The owner comes last, because the request may delete the objects of the others.
        for (const actor of allActors.toReversed()) {
          const sent = sentBy(actor, request(data), data);
          let answer = await server.request('gateway', users[actor], sent);
          // The index is being built.
          while (answer.status === 202 && !isWrite(sent)) answer = await server.request('gateway', users[actor], sent);
          answered[actor] = answer.status;
          if (isWrite(sent) && answer.ok && !keepsData) apiTestData.isChanged({ open });
          if (shows && (await answer.text()).includes(shows.id(data))) shown.push(actor);
        }
        expect(answered).toEqual(byActor(expected, others));
        expect(shown.toReversed()).toEqual(shows?.to ?? []);
      });
    }
  }

  test('the table contains every endpoint of /api only', () => {
    const endpoints = server.app.endpoints.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'));
    expect(Object.keys(apiTable).toSorted()).toEqual(
      [...new Set(endpoints.map(({ method, path }) => `${method} ${path}`))].toSorted(),
    );
  });
});

describeOnSqlite('a session without the second factor that this server requires', () => {
  let strict: App;
  beforeAll(async () => {
    strict = await server.startAnother(server.db, { secondFactor: 'required' });
    await strict.consentEnds.close();
  });
  afterAll(() => strict.close());

  /** The code of the problem, or the status. */
  async function ask(to: string, { method = 'GET', path, body, headers }: RequestOptions, credentials: object) {
    const answer = await strict.fetch(
      new Request(`${origin}${to}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers, ...credentials },
        ...(body !== undefined && method !== 'GET' && { body: JSON.stringify(body) }),
      }),
    );
    if (!answer.headers.get('content-type')?.startsWith('application/problem')) return answer.status;
    return method === 'HEAD' ? answer.status : ((await answer.json()) as Problem).code;
  }
  const session = (who: TestUser) => ({ 'sec-fetch-site': 'same-origin', cookie: who.cookie });
  const refusal = ({ method }: RequestOptions) => (method === 'HEAD' ? 403 : 'second_factor.required');

  test.each(Object.entries(table))('is not for %s, but a key of the user is', async (_, { request }) => {
    const asked = request(await testData.get({ open: false }));
    const who = users['device owner']!;
    expect(await ask('/api', asked, session(who))).toBe(refusal(asked));
    if (!isWrite(asked)) expect(await ask('/service', asked, { 'x-serviceapikey': who.key })).not.toBe(refusal(asked));
  });

  test('reaches only what sets one up', async () => {
    const data = await apiTestData.get({ open: false });
    const newcomer = await server.signUp('newcomer');
    const reached: string[] = [];
    for (const [endpoint, { request }] of Object.entries(apiTable)) {
      const asked = request(data);
      const outcome = await ask('/api', asked, session(newcomer));
      if (outcome !== refusal(asked)) reached.push(endpoint);
    }
    expect(reached).toEqual(Object.keys(apiTable).filter((endpoint) => apiTable[endpoint]!.ofLimited));
  });
});

/** The endpoints of /auth, which begin with or without a session. */
const authTable: Record<string, AuthRow> = {
  ...authOfCapabilities,
  'GET /auth/options': { nobody: '200', otherSite: '200' },
  'POST /auth/sign-up': { nobody: '400 body.invalid' },
  'POST /auth/sign-up/email': { nobody: '400 body.invalid' },
  'POST /auth/sign-in/username': { nobody: '400 body.invalid' },
  'GET /auth/confirm': { nobody: '401 session.missing', user: '200', limited: '200' },
  'POST /auth/confirm': { body: { password }, nobody: '401 session.missing', user: '204', limited: '204' },
  'POST /auth/change-password': {
    body: { currentPassword: 'not the password', newPassword: 'a better password' },
    nobody: '401 session.missing',
    user: '400 password.wrong',
    limited: '403 second_factor.required',
  },
  'POST /auth/sign-out': { nobody: '204' },
};

describe('endpoints of /auth', () => {
  let strict: App;
  beforeAll(async () => {
    strict = await server.startAnother(server.db, { secondFactor: 'required' });
    await strict.consentEnds.close();
  });
  afterAll(() => strict.close());

  test.each(Object.entries(authTable))('%s', async (endpoint, { body = {}, nobody, ...others }) => {
    const { user = nobody, limited = nobody, otherSite = '403 origin.refused' } = others;
    const [method = '', path = ''] = endpoint.replace(':provider', 'home').split(' ');
    const ask = async (app: App, site: string, cookie = '') => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': site, cookie };
      const init = { method, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) };
      const answer = await app.fetch(new Request(`${origin}${path}`, init));
      return answer.status === 303 ? '303' : outcomeOf(answer);
    };
    const { cookie } = await server.signUp(`auth-${names++}`);
    expect({
      otherSite: await ask(server.app, 'cross-site', cookie),
      nobody: await ask(server.app, 'same-origin'),
      limited: await ask(strict, 'same-origin', cookie),
      user: await ask(server.app, 'same-origin', (await server.signUp(`auth-${names++}`)).cookie),
    }).toEqual({ otherSite, nobody, limited, user });
  });

  test('the table contains every endpoint of /auth', () => {
    const endpoints = server.app.signInEndpoints.filter(({ method }) => method !== 'ALL');
    expect(Object.keys(authTable).toSorted()).toEqual(
      [...new Set(endpoints.map(({ method, path }) => `${method} ${path}`))].toSorted(),
    );
  });
});

async function bytes(entryPoint: EntryPoint, who: TestUser | undefined, asked: RequestOptions) {
  const answer = await server.request(entryPoint, who, asked);
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  return `${answer.status} ${JSON.stringify(headers)} ${(await answer.text()).replace(/"request_id":"[^"]*"/, '')}`;
}

test('the table contains every operation of the policy', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(policy).toSorted());
});

test('every endpoint that requires a key or a session rejects requests without one', async () => {
  const { endpoints } = server.app;
  expect(endpoints.length).toBeGreaterThan(10);
  for (const { method, path } of endpoints) {
    const concrete = path.replaceAll(/:\w+/g, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10').replace('*', 'x');
    const verb = method === 'ALL' ? 'GET' : method;
    const answer = await server.fetch(concrete, { method: verb, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer.status, `${verb} ${concrete}`).toBe(401);
  }
});

test('a guest has one endpoint, which needs the code of a link', async () => {
  const { shareLink, swarmLink } = await createTestData({ open: true });
  const ask = (code?: string) =>
    server.fetch('/guest/events', { method: 'HEAD', headers: code === undefined ? {} : { 'x-share-code': code } });
  expect((await ask(shareLink.code)).status).toBe(200);
  expect((await ask(swarmLink.code)).status).toBe(200);
  expect((await ask()).status).toBe(404);
  expect(server.app.guestEndpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /guest/events']);
});
