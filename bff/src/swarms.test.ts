import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personIn } from './acts.fixture.ts';
import type { Actor } from './acts.fixture.ts';
import type { Problem } from './contract.ts';
import { createHouse, password } from './house.fixture.ts';
import type { House } from './house.fixture.ts';

let house: House;
let ann: Actor;
beforeAll(async () => {
  house = await createHouse();
  ann = await personIn(house, 'ann');
});
afterAll(() => house[Symbol.asyncDispose]());

describe('creating a swarm', () => {
  test('with a device that is destroyed meanwhile names that device', async () => {
    for (let round = 0; round < 10; round++) {
      const [stays, doomed] = [await ann.device(), await ann.device()];
      const resources = [stays, doomed].map(({ id }) => ({ resource_id: id, resource_type: 'both' }));
      const body = { name: 'Ring', description: '', resources };
      const [, made] = await Promise.all([
        ann.destroy('resources', doomed),
        ann.ask({ method: 'POST', path: '/swarms', body }),
      ]);
      if (made.status === 201) continue;
      const { errors } = (await made.json()) as Problem;
      expect(errors!.map(({ pointer }) => pointer)).toEqual(['/resources/1/resource_id']);
    }
  });

  test('until the account is deleted makes nothing that outlives it', async () => {
    const person = await house.person('goes');
    const body = { user_id: 'goes', password };
    let gone = false;
    const deleted = house.ask('gateway', person, { method: 'DELETE', path: '/account', body }).finally(() => {
      gone = true;
    });
    const asked: Promise<Response>[] = [];
    while (!gone) {
      const swarm = { method: 'POST', path: '/swarms', body: { name: 'Ring', description: '' } };
      asked.push(house.ask('direct', person, swarm));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await deleted).status).toBe(204);
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 401)).toEqual([]);
    expect(house.db.all('SELECT 1 FROM swarms WHERE user_id = ?', 'goes')).toEqual([]);
  });
});
