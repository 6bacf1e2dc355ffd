/** Compares cached indexes during changes with the rows that the database returns for the same filters. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Device, MapView } from '../../contract.ts';
import { machineTypes, memberRoles } from '../../core/limits/field-rules.ts';
import { createTestViews, noon, type TestViews } from '../screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
});
afterAll(() => context[Symbol.asyncDispose]());

const users = ['ann', 'bob'];
const swarms = ['s1', 's2'];
const device = fc.nat({ max: 7 }).map((number) => `d${number}`);
const user = fc.constantFrom(...users);
const swarm = fc.constantFrom(...swarms);
const role = fc.constantFrom(...memberRoles);
type Place = [longitude: number, latitude: number];
const position = fc.option(
  fc.constantFrom<Place[]>([8, 47], [8.1, 47.1], [179.9, 0], [-179.9, 1]).map(([longitude, latitude]) => ({
    longitude,
    latitude,
  })),
  { nil: undefined },
);
const type = fc.constantFrom(...machineTypes);

/** Each action is valid in every state. */
const act = fc.oneof(
  { weight: 1, arbitrary: fc.record({ act: fc.constant('add' as const), device, user, position, type }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('move' as const), device, position }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('type' as const), device, type }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rename' as const), device }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('destroy' as const), device }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('swarm' as const), swarm, user }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('end' as const), swarm }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('join' as const), device, swarm, role }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('role' as const), device, swarm, role }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('leave' as const), device, swarm }) },
);
type Action = typeof act extends fc.Arbitrary<infer T> ? T : never;

async function perform(step: Action) {
  switch (step.act) {
    case 'add': {
      if ((await context.db.read({ sql: 'SELECT 1 FROM resources WHERE id = $1', params: [step.device] }))[0]) return;
      const { device: id, user: user_id, position: at, type: machine_type } = step;
      await context.add({ id, user_id, name: id, machine_type, ...(at && { position: at }) });
      return;
    }
    case 'move':
      return context.run('UPDATE resources SET longitude = $1, latitude = $2 WHERE id = $3', [
        step.position?.longitude ?? null,
        step.position?.latitude ?? null,
        step.device,
      ]);
    case 'type':
      return context.run('UPDATE resources SET machine_type = $1 WHERE id = $2', [step.type, step.device]);
    case 'rename':
      return context.run(`UPDATE resources SET name_folded = 'x' || id WHERE id = $1`, [step.device]);
    case 'destroy':
      return context.run('DELETE FROM resources WHERE id = $1', [step.device]);
    case 'swarm':
      return context.run(
        `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) SELECT $1, $2, $1, '', 0, $3, 1 WHERE NOT EXISTS (SELECT 1 FROM swarms WHERE id = $1)`,
        [step.swarm, step.user, noon],
      );
    case 'end':
      return context.run('DELETE FROM swarms WHERE id = $1', [step.swarm]);
    case 'join':
      return context.run(
        `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT s.id, r.id, $1, '${noon}' FROM swarms s, resources r WHERE s.id = $2 AND r.id = $3
         ON CONFLICT DO NOTHING`,
        [step.role, step.swarm, step.device],
      );
    case 'role':
      return context.run('UPDATE memberships SET resource_type = $1 WHERE swarm_id = $2 AND resource_id = $3', [
        step.role,
        step.swarm,
        step.device,
      ]);
    default:
      return context.run('DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2', [step.swarm, step.device]);
  }
}

const setUpActions: Action[] = [
  ...users.map((owner, number): Action => ({ act: 'swarm', swarm: swarms[number]!, user: owner })),
  ...[0, 1, 2, 3, 4, 5].map((number): Action => {
    const at = { longitude: number, latitude: 0 };
    return { act: 'add', device: `d${number}`, user: users[number % 2]!, position: at, type: 'pc' };
  }),
  ...[0, 1].map((number): Action => ({ act: 'join', device: `d${number}`, swarm: swarms[number]!, role: 'both' })),
];

const audiences = ['own', 'visible', ...swarms.map((id) => `swarm:${id}`)];
const filters = ['', 'machine_type=bug,pc', 'swarm=none', 'swarm=s1', 'placed=yes', 'q=xd', 'q=d1&machine_type=bug'];
const roles = ['resource_type=producer,both'];

/**
 * Repeats the request while the index is being built, which can take longer than the server waits on a busy machine.
 */
async function askMap(path: string, who: string): Promise<{ status: number; view: MapView }> {
  const answer = await context.get(`/map?zoom=22&bbox=-180,-90,180,90&${path}`, who);
  const view = (await answer.json()) as MapView;
  return view.building === undefined ? { status: answer.status, view } : askMap(path, who);
}

/** Compares a view of a user with the list, if the user may see it. */
async function compare(audience: string, query: string, who: string) {
  const path = `audience=${audience}&${query}`;
  const { status, view } = await askMap(path, who);
  const rows = await context.get(`/devices?limit=200&${path}`, who);
  expect(status).toBe(rows.status);
  if (status !== 200) return;
  const { total, unplaced, features } = view;
  const { items } = (await rows.json()) as { items: Device[] };
  const counted = features.reduce((sum, { properties }) => sum + (properties.cluster ? properties.point_count : 1), 0);
  const without = items.filter((item) => item.position === undefined).length;
  expect({ path, who, total, unplaced, counted }).toEqual({
    path,
    who,
    total: items.length,
    unplaced: without,
    counted: items.length - without,
  });
}

describe('a cached index', () => {
  test('has the same devices as the list after any changes, for every user', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(act, { maxLength: 40, size: 'max' }), async (acts) => {
          for (const [number, step] of [...setUpActions, ...acts].entries()) {
            await perform(step);
            if (number % 4 !== 3) continue;
            const questions = audiences.flatMap((audience) =>
              [...filters, ...(audience.startsWith('swarm') ? roles : [])].flatMap((query) =>
                users.map((who) => compare(audience, query, who)),
              ),
            );
            await Promise.all(questions);
          }
        })
        .afterEach(() => context.clear()),
      { numRuns: process.env['SWARMDECK_LONG'] === '1' ? 200 : 4 },
    );
  });
});
