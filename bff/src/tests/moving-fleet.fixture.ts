/**
 * A whole server with many devices of one user, for `npm run bench -- map`, which starts it as `moving-fleet.fixture.ts
 * FOLDER COUNT`. It reuses the data in the folder: a restarted server is the same with cold caches.
 *
 * Sends `{ url, key }` when it listens. For each `{ move: n }` it moves the next n devices in one commit; then it sends
 * `{ moved: n }`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { App } from '../app.ts';
import type { ResourceCreate } from '../contract.ts';
import { openDatabase } from '../core/store/sqlite/open-database.ts';
import { benchUser as user, serveBench } from './bench-server.fixture.ts';
import { importAll } from './many-devices.fixture.ts';

const [folder = '.', countText = '0'] = process.argv.slice(2);
const count = Number(countText);
const batch = 100_000;
/** The number of moving devices, which move in turn. */
const movers = 5000;

const known = existsSync(join(folder, 'bench.db'));
const db = await openDatabase({ url: pathToFileURL(join(folder, 'bench.db')).href });
const { app, url } = await serveBench({ db, siteFolder: join(import.meta.dirname, '../../../web/dist') });
if (!known) await fill(app);
const { key } = await app.operator.createKey({ user: user.name, name: 'bench' });
const moving = await db.read<{ id: string; longitude: number; latitude: number }>({
  sql: `SELECT id, longitude, latitude FROM resources ORDER BY id LIMIT ${movers}`,
  isLong: true,
});
process.send?.({ url, key });

let next = 0;
process.on('message', ({ move }: { move: number }) => void moveSome(move).then(() => process.send?.({ moved: move })));
process.on('disconnect', () => process.exit(0));

async function moveSome(some: number) {
  const at = new Date().toISOString();
  const places = Array.from({ length: some }, () => {
    const { id, longitude, latitude } = moving[next++ % moving.length]!;
    return { id, longitude: longitude + Math.random() - 0.5, latitude: latitude + Math.random() - 0.5 };
  });
  await db.write(
    places.map(({ id, longitude, latitude }) => ({
      sql: `UPDATE resources SET longitude = $1, latitude = $2, changed_at = $3, modified_at = $4, version = version + 1
            WHERE id = $5`,
      params: [longitude, latitude, at, at, id],
    })),
  );
}

async function fill({ operator }: App) {
  await operator.addUser(user);
  const points = pointsOf(count);
  const types = ['pc', 'bug', 'smartphone'] as const;
  const deviceAt = (index: number): ResourceCreate => ({
    name: `Sensor ${index + 1}`,
    machine_type: types[index % 3]!,
    position: { longitude: points[index * 2]!, latitude: points[index * 2 + 1]! },
  });
  for (let first = 0; first < count; first += batch) {
    const devices = Array.from({ length: Math.min(batch, count - first) }, (_, index) => deviceAt(first + index));
    await importAll({ operator, user: user.name, devices });
  }
}

/** Towns of all sizes, the same for each run. */
function pointsOf(many: number): Float64Array {
  const random = randomOf(1);
  const spread = () => (random() + random() + random() - 1.5) * 2;
  const towns = Array.from({ length: 2000 }, () => ({
    longitude: random() * 340 - 170,
    latitude: random() * 120 - 55,
  }));
  return Float64Array.from(
    Array.from({ length: many }).flatMap(() => {
      // The cube makes a few towns have most of the devices.
      const town = towns[Math.floor(random() ** 3 * towns.length)]!;
      return [town.longitude + spread(), town.latitude + spread()];
    }),
  );
}

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, with the numbers of Numerical Recipes. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
