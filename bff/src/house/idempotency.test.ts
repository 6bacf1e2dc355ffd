/** `Idempotency-Key` on everything that makes something of a swarm; resources have tests beside them. */
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

test('the table of keys is bounded: the oldest go first', async () => {
  const idempotency = createIdempotency({ db: house.db, now: house.now, keptAtMost: 3 });
  const send = (key: string, answer: string) =>
    idempotency.once({
      userId: 'ann',
      key,
      request: key,
      async act(claim) {
        await house.db.write(claim(answer));
        return answer;
      },
    });
  const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
  for (const key of keys) {
    await send(key, 'first');
    house.wait(1);
  }
  await idempotency.purge();
  const again = [];
  for (const key of keys) again.push(await send(key, 'again'));
  expect(again).toEqual(['again', 'again', 'first', 'first', 'first']);
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
  test('is made once of many with the same key, and each is answered the same or told to wait', async () => {
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
