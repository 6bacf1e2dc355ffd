/** Random requests to every endpoint never cause a 5xx, and errors are always problem responses. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Invitation, Resource, Swarm } from '../contract.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
beforeAll(async () => {
  server = await createTestServer({ quotas: Number.POSITIVE_INFINITY });
  [ann, ben] = await Promise.all([signUpClient(server, 'ann'), signUpClient(server, 'ben', 'gateway')]);
});
afterAll(() => server[Symbol.asyncDispose]());

interface TestData {
  own: Resource;
  theirs: Resource;
  swarm: Swarm;
  invitation: Invitation;
}

async function createTestData(): Promise<TestData> {
  const [own, theirs, swarm] = await Promise.all([ann.device(), ben.device(), ann.swarm()]);
  return { own, theirs, swarm, invitation: await ann.invite(swarm, theirs) };
}

const bodies: Record<string, (data: TestData) => object> = {
  'POST /resources': () => ({ name: 'a', machine_type: 'pc', position: { longitude: 1, latitude: 2 } }),
  'PUT /resources/own': ({ own }) => own,
  'POST /swarms': ({ own }) => ({
    name: 'a',
    description: '',
    resources: [{ resource_id: own.id, resource_type: 'both' }],
  }),
  'PUT /swarms/swarm': ({ swarm }) => swarm,
  'POST /swarms/swarm/resources': ({ own }) => ({ resource_id: own.id, resource_type: 'both' }),
  'PUT /swarms/swarm/resources/own': () => ({ resource_type: 'producer' }),
  'POST /swarms/swarm/invitations': ({ theirs }) => ({
    to: 'ben',
    resource_id: theirs.id,
    resource_type: 'consumer',
    description: 'please',
  }),
  'PUT /resources/theirs/invitations/invitation': ({ invitation }) => ({ ...invitation, status: 'accept' }),
};

/** A random value for one of the fields, or for an additional one. */
const strange = fc.tuple(fc.nat(20), fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })));
const headers = fc.record(
  {
    'if-match': fc.oneof(fc.constantFrom('*', '"1"', 'W/"1"', '"'), fc.string({ unit: 'grapheme-ascii' })),
    'idempotency-key': fc.string({ unit: 'grapheme-ascii' }),
  },
  { requiredKeys: [] },
);
const text = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom('', 'null', '[]', '{}'));

async function expectAnswer(answer: Response) {
  expect(answer.status).toBeLessThan(500);
  if (answer.ok) return;
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ status: answer.status, code: expect.any(String) as string });
}

describe.each(Object.entries(bodies))('%s', (operation, bodyOf) => {
  const [method, path] = operation.split(' ') as [string, string];
  let testData: TestData;
  beforeAll(async () => {
    testData = await createTestData();
  });
  const named = () =>
    path
      .split('/')
      .map((part) => (testData as unknown as Record<string, { id: string }>)[part]?.id ?? part)
      .join('/');
  const who = () => (path.includes('theirs') ? ben : ann);

  test('responds with a problem to a strange value in a field', async () => {
    await fc.assert(
      fc.asyncProperty(strange, headers, async ([index, value], headers) => {
        const body = bodyOf(testData);
        const fields = [...Object.keys(body), 'unknown'];
        const asked = { ...body, [fields[index % fields.length]!]: value };
        await expectAnswer(await who().request({ method, path: named(), body: asked, headers }));
      }),
    );
  });

  test('responds with a problem to any text as a body', async () => {
    await fc.assert(
      fc.asyncProperty(text, headers, async (body, headers) => {
        await expectAnswer(await who().request({ method, path: named(), body, headers }));
      }),
    );
  });
});

test('any path with any method gets a valid response', async () => {
  const { own, swarm, invitation } = await createTestData();
  const part = fc.oneof(
    fc.constantFrom('resources', 'swarms', 'invitations', own.id, swarm.id, invitation.id, '..', '%00', '%ff', '//'),
    fc.webSegment(),
  );
  const path = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`);
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  await fc.assert(
    fc.asyncProperty(path, method, fc.webQueryParameters(), async (path, method, query) => {
      const answer = await ann.request({ method, path: `${path}?${query}` });
      expect(answer.status).toBeLessThan(500);
    }),
  );
});
