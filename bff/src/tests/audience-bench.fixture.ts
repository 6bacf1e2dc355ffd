/**
 * For e2e/perf/audience.bench.ts: the query of who sees a device, in this process, on SQLite or on the database of its
 * first argument. The others are the numbers of SWARMS, of their MEMBERS and of their CHANGES.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFairQueue } from '../core/limits/fair-queue.ts';
import { createLongReads } from '../core/limits/long-reads.ts';
import { createAudienceReads } from '../capabilities/audience/audience.store.ts';
import { openStore } from '../core/store/open.ts';
import type { Database } from '../core/store/database.ts';

const [given, ...numbers] = process.argv.slice(2) as [string, ...string[]];
const [swarms, members, changes] = numbers.map(Number) as [number, number, number];
const users = 100;
const named = 20;
/** Devices of the others. Each is in ten swarms. */
const others = (swarms * (members - 1)) / 10;
const page = 100;
const rounds = 5;
const at = '2026-11-01T00:00:00.000Z';
const print = (line: string) => void process.stdout.write(`${line}\n`);

const list = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
const url = given || pathToFileURL(join(folder, 'swarmdeck.db')).href;
const db = await openStore({ url });
const queue = createFairQueue({ mostWaiting: 1000, atOnce: db.longReads });
const audiences = createAudienceReads({ readsOf: createLongReads({ db, queue }), now: () => new Date(at) });

await fill(db);
const requester = { user: 'ann' };
const times: number[] = [];
for (let round = 0; round < rounds; round++)
  for (let after: string | undefined; after !== null;) {
    const from = performance.now();
    const { next }: { next: string | null } = await audiences.ofResource({
      requester,
      id: 'own',
      owner: requester.user,
      limit: page,
      after,
    });
    // The first round warms up.
    if (round > 0) times.push(performance.now() - from);
    after = next ?? null!;
  }
times.sort((a, b) => a - b);
print('| | median | longest | at most |\n|---|---|---|---|');
print(
  `| ${page} of ${swarms} swarms with ${swarms * members} members, ${named + 1} names and ${changes} changes each | ${times[times.length >> 1]!.toFixed(1)} ms | ${times.at(-1)!.toFixed(1)} ms | 50 ms |`,
);
await db.close();
rmSync(folder, { recursive: true });

/** A device of Ann's in all swarms, whose owners, managers and other members are `users`. */
async function fill({ write }: Database) {
  await write([device([0], `'own'`, `'ann'`)]);
  for (let from = 0; from < others; from += 1000)
    await write([
      device(list(from, Math.min(others, from + 1000)), `'d' || value`, `'u' || (CAST(value AS bigint) % ${users})`),
    ]);
  for (let swarm = 0; swarm < swarms; swarm++) {
    const id = `s${String(swarm).padStart(6, '0')}`;
    const member = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, receivers_then)`;
    await write([
      {
        sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, $2, 'Harbour', '', 1, $3, 1)`,
        params: [id, `u${swarm % users}`, at],
      },
      { sql: `${member} VALUES ($1, 'own', 'producer', $2, 0)`, params: [id, at] },
      {
        sql: `${member} SELECT $1, 'd' || value, 'both', $2, 0 FROM elements($3)`,
        params: [id, at, JSON.stringify(list(0, members - 1).map((n) => (swarm * (members - 1) + n) % others))],
      },
      {
        sql: `INSERT INTO managers (swarm_id, user_id, asked_at, agreed_at) SELECT $1, 'u' || value, $2, $2 FROM elements($3)`,
        params: [id, at, JSON.stringify(list(1, named + 1).map((n) => (swarm + n) % users))],
      },
      {
        sql: `INSERT INTO audience_changes (swarm_id, at, kind, user_id, was) SELECT $1, $2, 'watcher', 'u' || value, 'none' FROM elements($3)`,
        params: [id, at, JSON.stringify(list(0, changes))],
      },
    ]);
  }
}

function device(numbers: readonly number[], id: string, user: string) {
  return {
    sql: `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
          SELECT ${id}, ${user}, 'd', 'bug', $2, $2, 1, '', '' FROM elements($1)`,
    params: [JSON.stringify(numbers), at],
  };
}
