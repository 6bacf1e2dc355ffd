import { expect, test } from 'vitest';
import { itemOf } from '../../../data/cache/invitation.fixture.ts';
import { summarise } from './bulk-summary.ts';

const air = { id: 'air', user_id: 'air-watch', name: 'Air quality', description: '', public: true, member_count: 212 };

test('invitations are grouped by swarm, and each swarm’s members count once', () => {
  const summary = summarise([
    itemOf('1', 3),
    itemOf('2', 2, { resource_type: 'producer' }),
    itemOf('3', 1, { swarm: air, swarm_id: 'air' }),
  ]);
  expect(summary.swarms.map(({ swarm, devices }) => [swarm.name, devices.length])).toEqual([
    ['River levels', 2],
    ['Air quality', 1],
  ]);
  expect(summary).toMatchObject({ devices: 3, members: 226 });
});

test('a device that two swarms invited counts once', () => {
  const summary = summarise([
    itemOf('1', 2, { resource_id: 'gate' }),
    itemOf('2', 1, { resource_id: 'gate', swarm: air, swarm_id: 'air' }),
  ]);
  expect(summary).toMatchObject({ devices: 1, members: 226 });
  expect(summary.swarms).toHaveLength(2);
});

test('invitations of a device as consumer and as producer are one line with both roles', () => {
  const { swarms } = summarise([
    itemOf('1', 2, { resource_id: 'gate' }),
    itemOf('2', 1, { resource_id: 'gate', resource_type: 'producer' }),
  ]);
  expect(swarms[0]?.devices.map(({ role }) => role)).toEqual(['both']);
});

test('the summary of an empty selection is empty', () => {
  expect(summarise([])).toEqual({ swarms: [], devices: 0, members: 0 });
});

test('each of ten thousand invitations is read a few times', () => {
  let reads = 0;
  const items = Array.from({ length: 10_000 }, (_, at) => {
    const item = itemOf(String(at), at % 60);
    const { resource_id } = item;
    return Object.defineProperty(item, 'resource_id', {
      get() {
        reads += 1;
        return resource_id;
      },
    });
  });
  expect(summarise(items)).toMatchObject({ devices: 10_000, members: 14 });
  expect(reads).toBeLessThan(50_000);
});
