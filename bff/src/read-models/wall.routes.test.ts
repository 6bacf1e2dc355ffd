// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WallView } from '../contract.ts';
import { createTestViews, noon, type TestViews } from './screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
});
beforeEach(() => context.clear());
afterAll(() => context[Symbol.asyncDispose]());

const bern = { longitude: 7.4474, latitude: 46.948 };
const wall = async (query: string, user?: string) =>
  (await (await context.get(`/wall?${query}`, user)).json()) as WallView;
const before = (seconds: number) => new Date(Date.parse(noon) - seconds * 1000).toISOString();

describe('the counts of a wall', () => {
  test('include all visible devices, and are zero for a new user', async () => {
    expect(await wall('audience=visible')).toEqual({
      total: 0,
      unplaced: 0,
      machine_type: { pc: 0, bug: 0, smartphone: 0 },
      presence: { online: 0, offline: 0, silent: 0, never: 0 },
      changed: 0,
      newest: null,
      at: noon,
    });
  });

  test('contain types, roles, positions and the changes of the last minute', async () => {
    await context.addSwarm({ id: 's1' });
    const [, moved] = await context.add(
      { swarms: ['s1'], position: bern, machine_type: 'bug', presence: 'silent', created_at: before(3600) },
      { swarms: ['s1'], position: bern, created_at: before(3600), changed_at: before(59) },
      { swarms: ['s1'], created_at: before(3600), changed_at: before(61) },
      { position: bern, changed_at: before(1) },
    );
    const asked = 'audience=swarm:s1';
    expect(await wall(asked)).toEqual({
      total: 3,
      unplaced: 1,
      machine_type: { pc: 2, bug: 1, smartphone: 0 },
      presence: { online: 0, offline: 0, silent: 1, never: 2 },
      resource_type: { producer: 3, consumer: 0, both: 0 },
      changed: 1,
      newest: before(59),
      at: noon,
    });
    await context.run('UPDATE resources SET changed_at = $1 WHERE longitude IS NULL', [before(0)]);
    expect(await wall(asked)).toMatchObject({ changed: 2, newest: noon });
    await context.run('DELETE FROM resources WHERE id = $1', [moved!.id]);
    expect(await wall(asked)).toMatchObject({ total: 2, changed: 1 });
  });

  test('refuse an invalid audience', async () => {
    expect(await context.refusal('/wall?audience=all')).toMatchObject({ code: 'query.invalid' });
    await context.addSwarm({ id: 's2', user_id: 'bob' });
    expect(await context.refusal('/wall?audience=swarm:s2', 'cat')).toMatchObject({ code: 'swarm.not_found' });
  });
});
