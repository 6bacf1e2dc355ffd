import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchRequest, BatchResponses, Problem, Resource } from '../contract.ts';
import { signUpClient } from './service-client.fixture.ts';
import type { ServiceClient } from './service-client.fixture.ts';
import { createTestServer } from './test-server.fixture.ts';
import type { TestServer } from './test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben] = await Promise.all([signUpClient(server, 'ann', 'gateway'), signUpClient(server, 'ben', 'gateway')]);
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (client: ServiceClient, requests: unknown) =>
  client.request({ method: 'POST', path: '/batch', body: { requests } });
async function batch(client: ServiceClient, requests: BatchRequest[]) {
  const answer = await send(client, requests);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as BatchResponses).responses;
}
const create = (name: string, idempotency_key = name): BatchRequest => ({
  method: 'POST',
  path: '/api/resources',
  body: JSON.stringify({ name, machine_type: 'bug' }),
  idempotency_key,
});
const read = <T>({ body }: { body: string }) => JSON.parse(body) as T;

test('each write of a batch has its own response, in the order of the requests', async () => {
  const own = await ann.device({ name: 'Buoy' });
  const foreign = await ben.device({ name: 'Gauge' });
  const responses = await batch(ann, [
    { method: 'PUT', path: `/api/resources/${own.id}`, body: '{"machine_type":"pc"}' },
    { method: 'PUT', path: `/api/resources/${foreign.id}`, body: '{"machine_type":"pc"}' },
    { method: 'PUT', path: `/api/resources/${own.id}`, body: '{"name":"a\\u0001"}' },
    { method: 'PUT', path: `/api/resources/${own.id}`, body: '{' },
    { method: 'POST', path: '/api/resources', body: '{"name":"Crane","machine_type":"bug"}' },
    { method: 'DELETE', path: '/api/resources/unknown' },
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 400, 201, 404]);
  expect(read<Resource>(responses[0]!)).toMatchObject({ id: own.id, machine_type: 'pc' });
  expect(read<Problem>(responses[1]!)).toMatchObject({ code: 'resource.not_found' });
  expect(read<Problem>(responses[2]!)).toMatchObject({ code: 'body.invalid', errors: [{ pointer: '/name' }] });
  expect(read<Resource>(responses[4]!)).toMatchObject({ name: 'Crane' });
  expect((await batch(ann, [{ method: 'DELETE', path: `/api/resources/${own.id}` }]))[0]).toEqual({
    status: 204,
    body: '',
  });
});

test('a batch that is sent again creates nothing twice', async () => {
  const requests = Array.from({ length: 100 }, (_, index) => create(`Lamp-${index}`));
  const first = await batch(ann, requests);
  expect(first.every(({ status }) => status === 201)).toBe(true);
  expect(await batch(ann, requests)).toEqual(first);
  const all = await ann.get<Resource[]>('/resources');
  expect(all.filter(({ name }) => name.startsWith('Lamp'))).toHaveLength(100);
});

test('only writes of the service are possible', async () => {
  const paths = ['/api/batch', '/api/account/keys', '/api/saved-views', '/api/demo', '/api/events', '/api/nothing'];
  const responses = await batch(
    ann,
    paths.map((path) => ({ method: 'POST' as const, path, body: '{}' })),
  );
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 405, 404]);
});

test('a malformed batch is rejected as a whole', async () => {
  const valid = create('Never');
  const malformed: [unknown, string][] = [
    [[], '/requests'],
    [Array.from({ length: 101 }, () => valid), '/requests'],
    [[valid, { ...valid, method: 'GET' }], '/requests/1/method'],
    [[valid, { ...valid, path: '/service/resources' }], '/requests/1/path'],
    [[valid, { ...valid, path: 'https://example.org/api/resources' }], '/requests/1/path'],
    [[valid, { ...valid, path: '/api/resources?x=1' }], '/requests/1/path'],
    [[valid, { ...valid, path: '/api/../auth/sign-out' }], '/requests/1/path'],
    [[valid, { ...valid, path: `/api/${'a'.repeat(60_000)}` }], '/requests/1/path'],
    [[valid, { ...valid, idempotency_key: 'a b' }], '/requests/1/idempotency_key'],
    [[valid, { ...valid, body: {} }], '/requests/1/body'],
    [[valid, { ...valid, headers: {} }], '/requests/1/headers'],
  ];
  for (const [requests, pointer] of malformed) {
    const answer = await send(ann, requests);
    expect([answer.status, ((await answer.json()) as Problem).errors?.[0]?.pointer]).toEqual([400, pointer]);
  }
  const all = await ann.get<Resource[]>('/resources');
  expect(all.filter(({ name }) => name === 'Never')).toEqual([]);
});

test('each write of a batch counts in the rate limit of the user', async () => {
  await using limited = await createTestServer({ rateLimit: 0.2, isRepeatable: true });
  const eve = await signUpClient(limited, 'eve', 'gateway');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, group) =>
      batch(
        eve,
        Array.from({ length: 100 }, (_row, index) => create(`Eve-${group}-${index}`)),
      ),
    ),
  );
  const refused = answers.flat().filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ retry_after = 0 }) => retry_after >= 1)).toBe(true);
});
