// stores: SQLite, PostgreSQL
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Device, DeviceFilters, DevicePage, DeviceSort } from '../contract.ts';
import { machineTypes, presenceStates } from '../core/limits/field-rules.ts';
import { searchText, searchWords } from '../core/store/search-text.ts';
import { createTestViews, fold, type TestDevice, type TestViews } from './screens.fixture.ts';

let context: TestViews;
let devices: TestDevice[];
const swarms = ['s1', 's2', 's3'];
/** Actions and their users. */
const actions = { own: 'ann', foreign: 'bob' };
/** The part of an action that has this device. */
const partOf = (index: number) => index % 5;

// One set of devices for all properties, with few names, times and positions, so that filters and sort orders have
// ties.
beforeAll(async () => {
  context = await createTestViews();
  for (const id of swarms) await context.addSwarm({ id, user_id: 'bob' });
  const time = fc
    .integer({ min: 0, max: 20 })
    .map((second) => new Date(1_772_000_000_000 + second * 1000).toISOString());
  const device = fc.record({
    name: fc.string({ unit: fc.constantFrom(...'aAb%_Ö🛰 1'), minLength: 1, maxLength: 4 }),
    machine_type: fc.constantFrom(...machineTypes),
    created_at: time,
    changed_at: time,
    presence: fc.constantFrom(...presenceStates),
    swarms: fc.subarray(['s1', 's2']),
    more: fc.record(
      {
        description: fc.string({ unit: fc.constantFrom(...'aBö_'), maxLength: 3 }),
        isRefused: fc.constant(true),
        position: fc.record({
          longitude: fc.constantFrom(-180, -179.5, -90, 0, 7.5, 7.6, 90, 179.5, 180),
          latitude: fc.constantFrom(-90, -45, 0, 47.1, 47.2, 90),
        }),
      },
      { requiredKeys: [] },
    ),
  });
  const [fleet] = fc.sample(fc.array(device, { minLength: 150, maxLength: 200, size: 'max' }), { numRuns: 1, seed: 2 });
  devices = await context.add(...fleet!.map(({ more, ...rest }) => ({ ...rest, ...more })));
  for (const [id, user] of Object.entries(actions)) {
    await context.run(
      `INSERT INTO actions (id, user_id, kind, about, state, total, wait, created_at) VALUES ($1, $2, '', '', '', 0, 0, '')`,
      [id, user],
    );
    // Of an upload, a part may be missing.
    for (const part of [0, 2]) {
      const items = devices
        .filter((_, index) => partOf(index) === part)
        .map((each) => ({ line: 1, create: { name: '"id":"' }, name: '\\"id":"', id: each.id }));
      const params = [id, part, JSON.stringify(items)];
      await context.run('INSERT INTO action_parts (action_id, part, items) VALUES ($1, $2, $3)', params);
    }
  }
});
afterAll(() => context[Symbol.asyncDispose]());

/** For own devices. Members with roles are compared with the service's lists in screens.test.ts. */
type Filters = Omit<DeviceFilters, 'audience' | 'resource_type' | 'value' | 'value_from' | 'value_to'>;
const edges = fc.constantFrom(-180, -100, 0, 7.5, 100, 180);
const filters: fc.Arbitrary<Filters> = fc.record(
  {
    q: fc.oneof(
      fc.constantFrom('a', 'A', 'ö', '%', '_', '🛰', 'ab', 'nothing', '019a7c51', 'b\na', 'o-A', 'A b', '1 Ö'),
      fc.string({ unit: fc.constantFrom(...'aAbB%_öÖ🛰1\n'), minLength: 1, maxLength: 3 }).filter((q) => q.trim() === q),
    ),
    machine_type: fc.subarray([...machineTypes], { minLength: 1 }),
    presence: fc.subarray([...presenceStates], { minLength: 1 }),
    swarm: fc.constantFrom(...swarms, 'none', 'unknown'),
    not_in: fc.constantFrom(...swarms, 'unknown'),
    action: fc.constantFrom('own', 'own', 'foreign', 'unknown'),
    placed: fc.constantFrom('yes' as const, 'no' as const),
    refused: fc.constant('yes' as const),
    bbox: fc
      .tuple(edges, fc.constantFrom(-90, 0), edges, fc.constantFrom(0, 47.1, 90))
      .map((box): NonNullable<Filters['bbox']> => box),
  },
  { requiredKeys: [] },
);

const wasRefused = ({ isRefused = false, presence }: TestDevice) => isRefused && presence !== 'never';

/** The filters without SQL. */
const matching: {
  [group in keyof Required<Filters>]: (device: TestDevice, wanted: NonNullable<Filters[group]>) => boolean;
} = {
  q: ({ id, name, description = '' }, q) =>
    searchWords(q).every(
      (word) =>
        [name, description].some((text) => searchText(text).includes(word)) ||
        (word.length >= 8 && id.replaceAll('-', '').startsWith(word)),
    ),
  machine_type: ({ machine_type }, types) => types.includes(machine_type),
  presence: ({ presence }, states) => states.includes(presence),
  swarm: (device, swarm) => (swarm === 'none' ? device.swarms.length === 0 : device.swarms.includes(swarm)),
  not_in: (device, swarm) => !device.swarms.includes(swarm),
  action: (device, action) => action === 'own' && [0, 2].includes(partOf(devices.indexOf(device))),
  placed: ({ position }, placed) => (position !== undefined) === (placed === 'yes'),
  refused: (device) => wasRefused(device),
  bbox: ({ position }, [west, south, east, north]) => {
    if (!position) return false;
    const { longitude, latitude } = position;
    const between = west > east ? longitude >= west || longitude <= east : longitude >= west && longitude <= east;
    return between && latitude >= south && latitude <= north;
  },
};

function matches(wanted: Filters, but?: keyof Filters): TestDevice[] {
  const groups = (Object.keys(wanted) as (keyof Filters)[]).filter((group) => group !== but);
  return devices.filter((device) => groups.every((group) => matching[group](device, wanted[group] as never)));
}

function queryOf(wanted: Filters): string {
  return new URLSearchParams(
    Object.entries(wanted).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sorts = ['name', '-changed', '-created'] as const satisfies readonly DeviceSort[];
const order: Record<(typeof sorts)[number], (a: Device, b: Device) => number> = {
  name: (a, b) => byText(fold(a.name), fold(b.name)) || byText(a.id, b.id),
  '-changed': (a, b) => byText(b.changed_at, a.changed_at) || byText(b.id, a.id),
  '-created': (a, b) => byText(b.created_at, a.created_at) || byText(b.id, a.id),
};

describe('arbitrary filters', () => {
  test('return the devices, the total and the facets of the model', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (wanted) => {
        const page = await context.devices(`${queryOf(wanted)}&limit=200`);
        const expected = matches(wanted);
        expect(page.total).toBe(expected.length);
        expect(page.items.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        const countOf = (group: keyof Filters, has: (device: TestDevice) => boolean) =>
          matches(wanted, group).filter(has).length;
        const byType = machineTypes.map((type) => [
          type,
          countOf('machine_type', (device) => device.machine_type === type),
        ]);
        const facets: DevicePage['facets'] = {
          all: devices.length,
          machine_type: Object.fromEntries(byType) as DevicePage['facets']['machine_type'],
          presence: Object.fromEntries(
            presenceStates.map((state) => [state, countOf('presence', ({ presence }) => presence === state)]),
          ) as DevicePage['facets']['presence'],
          no_swarm: countOf('swarm', (device) => device.swarms.length === 0),
          unplaced: countOf('placed', ({ position }) => position === undefined),
          swarms: ['s1', 's2'].map((id) => ({
            id,
            name: id,
            count: countOf('swarm', (device) => device.swarms.includes(id)),
          })),
        };
        const refused = countOf('refused', wasRefused);
        expect(page.facets).toEqual({ ...facets, ...(refused > 0 && { refused }) });
      }),
    );
  });

  test('have the same count on the map and in the list, and the world view has every placed device', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 0, max: 22 }), async (filters, zoom) => {
        const { bbox: _bbox, not_in: _, ...wanted } = filters;
        const list = await context.devices(`${queryOf(wanted)}&limit=0`);
        const view = await context.map(`${queryOf(wanted)}&zoom=${zoom}`);
        const counts = view.features.map(({ properties }) => (properties.cluster ? properties.point_count : 1));
        expect(view.total).toBe(list.total);
        expect(view.unplaced).toBe(matches(wanted).filter(({ position }) => position === undefined).length);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(view.total - view.unplaced);
      }),
    );
  });

  test('return every device once over all pages, in order, for any sort and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...sorts),
        fc.integer({ min: 20, max: 200 }),
        async (wanted, sort, limit) => {
          const seen: Device[] = [];
          let cursor: string | null = '';
          while (cursor !== null) {
            const page: DevicePage = await context.devices(
              `${queryOf(wanted)}&sort=${sort}&limit=${limit}&cursor=${cursor}`,
            );
            seen.push(...page.items);
            expect(page.items.length).toBeLessThanOrEqual(limit);
            cursor = page.next;
          }
          expect(seen.map(({ id }) => id).toSorted()).toEqual(
            matches(wanted)
              .map(({ id }) => id)
              .toSorted(),
          );
          expect(seen).toEqual(seen.toSorted(order[sort]));
        },
      ),
    );
  });
});
