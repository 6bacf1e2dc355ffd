// stores: SQLite, PostgreSQL
/**
 * The contract: a table of cases for every operation of the service. Every response is validated against the OpenAPI
 * document. An operation without a case fails.
 *
 * All cases run with a key. The gateway forwards to the same handlers, so one successful case of each operation runs
 * through it. What is rejected before a statement does not depend on the store, so PostgreSQL runs the successful writes.
 */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Resource, Swarm } from '../contract.ts';
import { testOnSqlite } from './on-sqlite.fixture.ts';
import { isOnPostgres } from '../core/store/store.fixture.ts';
import { createServiceClient, type ServiceClient } from './service-client.fixture.ts';
import type { Case, Cases, Context, Expected } from './contract.cases.ts';
import { createOpenApi, type Document } from './openapi.fixture.ts';
import {
  createTestServer,
  entryPoints,
  type TestServer,
  type TestUser,
  type EntryPoint,
} from './test-server.fixture.ts';

const sources = dirname(import.meta.dirname);
/** Each noun has its own cases beside it, and an operation has them in one place. */
const table: Cases = {};
for (const file of globSync('**/*.cases.ts', { cwd: sources, exclude: ['tests/**'] })) {
  const { cases = {} } = (await import(join(sources, file))) as { cases?: Cases };
  const known = Object.keys(cases).filter((operation) => operation in table);
  if (known.length > 0)
    throw new Error(`${file} has cases of operations that have some elsewhere: ${known.join(', ')}`);
  Object.assign(table, cases);
}

let server: TestServer;
let users: TestUser[];
let document: Document;
let openApi: ReturnType<typeof createOpenApi>;
beforeAll(async () => {
  server = await createTestServer();
  users = await Promise.all(['ann', 'ben'].map((name) => server.signUp(name)));
  document = (await (await server.fetch('/service/openapi.json')).json()) as Document;
  openApi = createOpenApi(document);
});
afterAll(() => server[Symbol.asyncDispose]());

const operations = () => openApi.operations;

/** The response headers that matter to clients. */
const toldHeaders = ['allow', 'etag', 'location', 'retry-after'];

/** Validates status, headers, media type and body of a response against the document. */
async function holdAgainstDocument(operationId: string, answer: Response, text: string) {
  // A method that does not exist belongs to no operation.
  if (answer.status === 405) return;
  const documented = openApi.response(operationId, answer.status);
  expect(documented, `${operationId} may answer ${answer.status}`).toBeDefined();
  const headers = Object.entries(documented!.headers ?? {}).map(([name, header]) => ({ ...header, name }));
  const named = (some: typeof headers) => some.map(({ name }) => name.toLowerCase());
  expect(named(headers)).toEqual(expect.arrayContaining(toldHeaders.filter((name) => answer.headers.has(name))));
  expect([...answer.headers.keys()]).toEqual(expect.arrayContaining(named(headers.filter((each) => each.required))));
  if (text === '') return;
  const [type = ''] = answer.headers.get('content-type')!.split(';');
  expect(Object.keys(documented!.content ?? {})).toContain(type);
  const validate = documented!.validator(type);
  expect(validate(type.includes('json') ? JSON.parse(text) : text), JSON.stringify(validate.errors)).toBe(true);
}

const peopleBy = (entryPoint: EntryPoint) =>
  users.map((user) => createServiceClient(user.name, (asked) => server.request(entryPoint, user, asked))) as [
    ServiceClient,
    ServiceClient,
  ];

/** More than any quota. */
const filling = 1_000_000;

async function createTestData(entryPoint: EntryPoint): Promise<Context> {
  const [ann, ben] = peopleBy(entryPoint);
  const later = () => server.wait(2);
  const described = { description: 'by the door', position: { longitude: 12.25, latitude: 52.5 } };
  const [own, device, theirs, swarm, theirSwarm] = await Promise.all([
    ann.device(described),
    ann.device(),
    ben.device(described),
    ann.swarm(),
    ben.swarm({ name: 'Theirs' }),
  ]);
  const resources = [{ resource_id: device.id, resource_type: 'both' }];
  const [invitation, homeSwarm] = await Promise.all([
    ben.invite(theirSwarm, own),
    ann.swarm({ name: 'Home', resources }),
  ]);
  return {
    ann,
    ben,
    own,
    etag: '"1"',
    swarm,
    theirs,
    theirSwarm,
    invitation,
    home: { swarm: homeSwarm, device },
    fill: (full) =>
      server.db.write([
        typeof full === 'string'
          ? {
              sql: `UPDATE usage SET amount = amount + $1 WHERE user_id = 'ann' AND kind = $2`,
              params: [filling, full],
            }
          : {
              sql: 'INSERT INTO swarm_sizes (swarm_id, members) VALUES ($1, $2) ON CONFLICT (swarm_id) DO UPDATE SET members = excluded.members',
              params: [full.swarm.id, filling],
            },
      ]),
    later,
  };
}

/** All data that the two users can see. */
const everything = (entryPoint: EntryPoint) =>
  Promise.all(
    peopleBy(entryPoint).map(async ({ get }) => {
      const swarms = await get<Swarm[]>('/swarms');
      return { resources: await get<Resource[]>('/resources'), swarms, invitations: await get('/invitations') };
    }),
  );

/** Deletes what a case has created, so that lists stay short. */
async function clear(entryPoint: EntryPoint, kept: Set<string>) {
  const [ann, ben] = peopleBy(entryPoint);
  const seen = await everything(entryPoint);
  const ends = [ann, ben].flatMap((who, index) => {
    const { resources, swarms } = seen[index]!;
    const own = (record: { id: string; user_id: string }) => record.user_id === who.name && !kept.has(record.id);
    return [
      ...resources.filter(own).map((resource) => who.destroy('resources', resource)),
      ...swarms.filter(own).map((swarm) => who.destroy('swarms', swarm)),
    ];
  });
  await Promise.all(ends);
}

const isSuccessful = ({ expect: wanted }: Case) => typeof wanted === 'function' || wanted.status < 300;

/** The cases of an operation that run through this entry point, on this store. */
function casesThrough(entryPoint: EntryPoint, cases: Case[]): Case[] {
  if (entryPoint === 'gateway') return cases.filter(isSuccessful).slice(0, 1);
  return isOnPostgres ? cases.filter((each) => !each.isReadOnly && isSuccessful(each)) : cases;
}

describe.each(entryPoints)('%s', (entryPoint) => {
  const chosen = Object.entries(table).map(
    ([operationId, cases]) => [operationId, casesThrough(entryPoint, cases)] as const,
  );
  /** The shared data of the cases that change nothing. */
  let sharedData: Context;
  let before: Awaited<ReturnType<typeof everything>>;
  let kept: Set<string>;
  beforeAll(async () => {
    await clear(entryPoint, new Set());
    sharedData = await createTestData(entryPoint);
    before = await everything(entryPoint);
    kept = new Set(before.flatMap(({ resources, swarms }) => [...resources, ...swarms].map(({ id }) => id)));
  });

  for (const [operationId, cases] of chosen) {
    test.each(cases.filter((each) => each.isReadOnly))(`${operationId}: $title`, (each) =>
      expectCase(operationId, each, sharedData),
    );
  }

  test('none of these requests changed anything', async () => {
    expect(await everything(entryPoint)).toEqual(before);
  });

  describe('requests that may change something', () => {
    afterEach(async () => {
      await clear(entryPoint, kept);
      await server.db.write([{ sql: 'UPDATE usage SET amount = amount % $1', params: [filling] }]);
    });
    for (const [operationId, cases] of chosen) {
      test.each(cases.filter((each) => !each.isReadOnly))(`${operationId}: $title`, async (each) =>
        expectCase(operationId, each, await createTestData(entryPoint)),
      );
    }
  });
});

async function expectCase(operationId: string, { request, expect: wanted }: Case, context: Context) {
  const asked = await request(context);
  const expected = typeof wanted === 'function' ? wanted(context) : wanted;
  const answer = await context.ann.request(asked);
  const text = await answer.text();
  expectAnswer(answer, text, expected);
  await holdAgainstDocument(operationId, answer, text);
}

/** A field error in the document. */
const fault = {
  pointer: expect.any(String) as string,
  code: expect.stringMatching(/^[a-z]+\.[a-z_]+$/) as string,
  detail: expect.stringMatching(/\S/) as string,
};

/** No response may stay in a cache on the disk. */
function expectCacheControl(answer: Response) {
  if (answer.status !== 204) expect(answer.headers.get('cache-control')).toBe('no-store');
}

function expectAnswer(answer: Response, text: string, expected: Expected) {
  expectCacheControl(answer);
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson
    ? (JSON.parse(text) as { code?: string; errors?: { pointer: string; code: string }[] })
    : undefined;
  expect(answer.status, text).toBe(expected.status);
  if (expected.code) expect(body?.code).toBe(expected.code);
  if (expected.pointers) expect(body?.errors?.map(({ pointer }) => pointer)).toEqual(expected.pointers);
  if (expected.faults) expect(body?.errors?.map(({ code }) => code)).toEqual(expected.faults);
  if (body?.errors) expect(body.errors).toEqual(body.errors.map(() => fault));
  if (expected.body) {
    const plain = Object.getPrototypeOf(expected.body) === Object.prototype;
    expect(body).toEqual(plain ? expect.objectContaining(expected.body as Record<string, unknown>) : expected.body);
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    expect(answer.headers.get(name)).toEqual(value instanceof RegExp ? expect.stringMatching(value) : value);
  }
}

test('every operation has cases, and every handler is in the OpenAPI document', () => {
  expect(
    operations()
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual(Object.keys(table).toSorted());
  const documented = operations().map(
    ({ method, path }) => `${method.toUpperCase()} /service${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  const handled = server.app.endpoints
    .filter(({ path }) => path.startsWith('/service'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(documented.toSorted()).toEqual([...new Set(handled)].toSorted());
});

const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override', '?_method='];
const overridden = ['/service', '/api', '/auth', ''].flatMap((mount) => overrides.map((way) => ({ mount, way })));
testOnSqlite.each(overridden)(
  'a request that overrides its method is rejected and changes nothing: $mount with $way',
  async ({ mount, way }) => {
    const [ann] = peopleBy('direct');
    const { swarm, device } = (await createTestData('direct')).home;
    const [user] = users as [TestUser];
    const query = way.startsWith('?') ? `?a=b&_method=DELETE` : '';
    const answer = await server.fetch(`${mount}/swarms/${swarm.id}/resources${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-serviceapikey': user.key,
        cookie: user.cookie,
        ...(query === '' && { [way]: 'DELETE' }),
      },
      body: JSON.stringify({ resource_id: device.id, resource_type: 'both' }),
    });
    const body = (await answer.json()) as object;
    expect(body).toMatchObject({ status: 400, code: 'request.method_override' });
    expect(openApi.validator('Problem')(body)).toBe(true);
    expect(await ann.get<Swarm>(`/swarms/${swarm.id}`)).toEqual({ ...swarm, access: 'full' });
  },
);

test('every operation has a description, its parameters and its responses', () => {
  for (const operation of operations()) {
    const { operationId, path, summary, description, parameters = [], requestBody, responses } = operation;
    const texts = [
      summary,
      description ?? 'none',
      ...Object.keys(responses).map((status) => openApi.response(operationId, Number(status))!.description),
    ];
    expect(
      texts.filter((text) => text.trim() === ''),
      operationId,
    ).toEqual([]);
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
    expect(inPath, operationId).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(requestBody?.required, operationId).toBe(requestBody && true);
  }
});

test('preconditions and idempotency keys are in the document', () => {
  const carrying = (name: string) =>
    operations()
      .filter(({ parameters = [] }) => parameters.some((each) => each.in === 'header' && each.name === name))
      .map(({ operationId }) => operationId);
  const answering = (...statuses: string[]) =>
    operations()
      .filter(({ responses }) => statuses.some((status) => status in responses))
      .map(({ operationId }) => operationId);
  expect(carrying('if-none-match')).toEqual(answering('304', '412'));
  expect(carrying('if-match')).toEqual(answering('412'));
  // A message has an id of the client instead, and the code of a link is not stored.
  const others = ['sendMessage', 'createShareLink', 'createSwarmShareLink'];
  expect(carrying('idempotency-key')).toEqual(answering('201').filter((name) => !others.includes(name)));
  const headers = operations().flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === 'header'));
  for (const { name, description } of headers) expect(description, name).toMatch(/\S/);
});

test('problem responses are shared, and name their codes', () => {
  const inline = operations().flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Number(status) >= 400 && !('$ref' in response) ? [`${operationId} ${status}`] : [],
    ),
  );
  expect(inline).toEqual([]);
  for (const { description } of Object.values(document.components.responses)) expect(description).toMatch(/`\w+\.\w+`/);
});

test('a client can set and clear a position, by the schema of the document', () => {
  const validate = openApi.validator('ResourceUpdate');
  const bodies = [{ position: { longitude: 8, latitude: 54 } }, { position: null }, {}, { position: { longitude: 8 } }];
  expect(bodies.map((body) => validate(body))).toEqual([true, true, true, false]);
});

test('formats, defaults and limits are in the document', () => {
  const { Resource, SwarmMember } = document.components.schemas;
  expect(Resource!.properties!['id']).toMatchObject({ format: 'uuid' });
  expect(SwarmMember!.properties!['url']).toMatchObject({ format: 'uri' });
  const schemaOf = (operationId: string, name: string) =>
    operations()
      .find((operation) => operation.operationId === operationId)!
      .parameters!.find((parameter) => parameter.name === name)!.schema;
  expect(schemaOf('getSwarm', 'swarm_id')).toMatchObject({ format: 'uuid' });
  expect(schemaOf('exportResources', 'format')).toMatchObject({ default: 'csv' });
  expect(schemaOf('listActivity', 'limit')).toMatchObject({ default: 50, minimum: 1, maximum: 200 });
  expect(schemaOf('listDirectory', 'limit')).toMatchObject({ default: 50, minimum: 1, maximum: 200 });
  expect(schemaOf('createSwarm', 'idempotency-key')).toMatchObject({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7E]+$',
  });
});

test('the general notes are in the document, with the limits', () => {
  const said = [
    'x-serviceapikey',
    'application/problem+json',
    '`code`',
    'JSON pointer',
    '404',
    '405',
    '`Allow`',
    '64 KiB',
    '8 levels',
    '128 characters',
    '2,000',
    '-180 to 180',
    '-90 to 90',
    'UUIDv7',
    'oldest first',
    '`If-None-Match`',
    '`If-Match`',
    '`Idempotency-Key`',
    '24 hours',
    '500 requests',
    '50 event streams',
    '100,000 resources',
    '1,000 swarms',
    '10,000 open invitations',
    '`x-extension`',
  ];
  expect(said.filter((words) => !document.info.description.includes(words))).toEqual([]);
});

test('the query parameters are in the document', () => {
  const queries = operations().flatMap(({ operationId, parameters = [] }) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => `${operationId} ${name}`),
  );
  const ofActivity = ['resource_id', 'swarm_id', 'topic', 'before', 'limit'];
  const ofMessages = ['q', 'resource_id', 'sent_after', 'sent_before'];
  const ofExport = ['format', 'q', 'machine_type', 'swarm', 'placed', 'bbox'];
  const ofValues = ['from', 'to', 'format'];
  const expected = [
    ...ofExport.map((name) => `exportResources ${name}`),
    'getTrack format',
    ...['from', 'until', 'after', 'limit'].map((name) => `getResourceAudience ${name}`),
    ...['from', 'until'].map((name) => `getSwarmAudience ${name}`),
    ...['keys', 'last', ...ofValues].map((name) => `getValues ${name}`),
    ...['resource_ids', 'keys', ...ofValues].map((name) => `getSwarmValues ${name}`),
    'listMembers type',
    'removeMember type',
    ...ofActivity.map((name) => `listActivity ${name}`),
    'openJoinLink code',
    ...['q', 'sort', 'cursor', 'limit'].map((name) => `listDirectory ${name}`),
    ...['lastEventId', 'since', 'wait'].map((name) => `receiveMessages ${name}`),
    'streamEvents lastEventId',
    ...['since', 'before', 'limit', ...ofMessages].map((name) => `listMessages ${name}`),
    ...['format', ...ofMessages].map((name) => `exportMessages ${name}`),
    'listSentMessages limit',
  ];
  expect(queries.toSorted()).toEqual(expected.toSorted());
});

test('exactly the fields of a resource that the spec does not have are marked as extensions', () => {
  const { properties } = document.components.schemas['Resource']!;
  const unmarked = Object.entries(properties!).filter(([, schema]) => !('x-extension' in schema));
  const ofSpec = ['id', 'user_id', 'name', 'machine_type', 'description', 'position', 'created_at', 'modified_at'];
  expect(unmarked.map(([name]) => name).toSorted()).toEqual(ofSpec.toSorted());
});

test('exactly the operations that the spec does not have are marked as extensions', () => {
  const ofSpec = [
    'createResource',
    'updateResource',
    'destroyResource',
    'listResources',
    'getResource',
    'listSwarmsOfResource',
    'sendInvitation',
    'answerInvitation',
    'listSentInvitations',
    'listInvitations',
    'listInvitationsOfResource',
  ];
  const unmarked = operations().filter((operation) => operation['x-extension'] === undefined);
  expect(unmarked.map(({ operationId }) => operationId).toSorted()).toEqual(ofSpec.toSorted());
});
