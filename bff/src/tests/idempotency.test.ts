/** `Idempotency-Key` for creations around swarms. Those of resources are in resources.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resource, Swarm } from '../contract.ts';
import { createIdempotency } from '../service/idempotency.store.ts';
import { personIn } from './acts.fixture.ts';
import type { Actor } from './acts.fixture.ts';
import { createHouse } from './house.fixture.ts';
import type { House } from './house.fixture.ts';

let house: House;
let ann: Actor;
let own: Resource;
let theirs: Resource;
let swarm: Swarm;
beforeAll(async () => {
  house = await createHouse();
  ann = await personIn(house, 'ann');
  theirs = await (await personIn(house, 'ben')).device();
  [own, swarm] = await Promise.all([ann.device(), ann.swarm()]);
});
afterAll(() => house[Symbol.asyncDispose]());

describe('the table of idempotency keys', () => {
  const keysIn = (idempotency: ReturnType<typeof createIdempotency>) => (userId: string, key: string, answer: string) =>
    idempotency.once({
      userId,
      key,
      request: key,
      async act(claim) {
        await house.db.write(claim(answer));
        return answer;
      },
    });

  test('is bounded per user by deleting that user’s oldest keys', async () => {
    const send = keysIn(createIdempotency({ db: house.db, now: house.now, keysOfUser: 3 }));
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
    await send('ben', 'k1', 'first');
    for (const key of keys) {
      await send('ann', key, 'first');
      house.wait(1);
    }
    expect(await send('ben', 'k1', 'again')).toBe('first');
    const again = [];
    for (const key of keys.toReversed()) again.push(await send('ann', key, 'again'));
    expect(again).toEqual(['first', 'first', 'first', 'again', 'again']);
  });

  test('loses keys after 24 hours, in chunks between other writes', async () => {
    const idempotency = createIdempotency({ db: house.db, now: house.now });
    const send = keysIn(idempotency);
    house.wait(24 * 3600 * 1000);
    await Promise.all(Array.from({ length: 2500 }, (_, index) => send('cy', `k${index}`, 'first')));
    house.wait(12 * 3600 * 1000);
    await send('cy', 'new', 'first');
    house.wait(12 * 3600 * 1000);
    let commits = 0;
    const unsubscribe = house.db.onCommit(async () => void (commits += 1));
    await idempotency.purge();
    unsubscribe();
    expect(commits).toBeGreaterThanOrEqual(3);
    expect(await house.db.read({ sql: 'SELECT key FROM idempotency' })).toEqual([{ key: 'new' }]);
  });
});

const kinds = {
  'a swarm': () => ({
    path: '/swarms',
    body: { name: 'Once', description: '', resources: [{ resource_id: own.id, resource_type: 'both' }] },
    made: async () => (await ann.get<Swarm[]>('/swarms')).filter(({ name }) => name === 'Once').length,
  }),
  'a member': () => ({
    path: `/swarms/${swarm.id}/resources`,
    body: { resource_id: own.id, resource_type: 'consumer' },
    made: async () => (await ann.get<object[]>(`/swarms/${swarm.id}/resources`)).length,
  }),
  'an invitation': () => ({
    path: `/swarms/${swarm.id}/invitations`,
    body: { to: 'ben', resource_id: theirs.id, resource_type: 'consumer' },
    made: async () => (await ann.get<object[]>(`/swarms/${swarm.id}/invitations`)).length,
  }),
};

describe.each(Object.entries(kinds))('%s', (kind, of) => {
  test('is created once by many requests with the same key, which get the same response or 409', async () => {
    const { path, body, made } = of();
    const headers = { 'idempotency-key': kind.replaceAll(' ', '-') };
    const ask = () => ann.ask({ method: 'POST', path, body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const inFlight = answers.filter(({ status }) => status === 409);
    expect(await Promise.all(inFlight.map(async (answer) => (await answer.json()) as object))).toEqual(
      inFlight.map(() => expect.objectContaining({ code: 'idempotency.in_flight' }) as object),
    );
    const done = [...answers.filter(({ status }) => status === 201), await ask()];
    expect(done.length + inFlight.length).toBe(21);
    const same = await Promise.all(
      done.map(async (answer) => `${answer.headers.get('location')} ${await answer.text()}`),
    );
    expect(new Set(same).size).toBe(1);
    expect(await made()).toBe(1);
  });
});
