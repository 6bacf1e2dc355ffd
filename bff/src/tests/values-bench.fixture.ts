/**
 * For e2e/perf/values.bench.ts: the job that records values, on SQLite, in this process. Messages are written to the table, without requests. Its
 * arguments are DEVICES, MINUTES and DAYS.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dayMs, minuteMs } from '../core/limits/durations.ts';
import { createFairQueue } from '../core/limits/fair-queue.ts';
import { createValueRecorder } from '../capabilities/values/record-values.store.ts';
import { createIdSource } from '../core/store/new-id.ts';
import { openDatabase } from '../core/store/sqlite/open-database.ts';

const [devices, minutes, days] = process.argv.slice(2).map(Number) as [number, number, number];
const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Devices of a swarm, and rows of one statement. */
const ofSwarm = 1000;

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
  const file = join(folder, 'swarmdeck.db');
  const db = await openDatabase({ url: pathToFileURL(file).href });
  let clock = Date.UTC(2026, 0, 1);
  const job = createValueRecorder({
    db,
    queue: createFairQueue({ mostWaiting: 1000, atOnce: db.longReads }),
    bytesOfUser: Infinity,
    isCommand: true,
    now: () => new Date(clock),
    newId: createIdSource(),
    report(error) {
      throw error;
    },
  });
  return {
    db,
    job,
    now: () => clock,
    wait: (ms: number) => void (clock += ms),
    bytes: () => statSync(file).size,
    async close() {
      await job.close();
      await db.close();
      rmSync(folder, { recursive: true });
    },
  };
}
type Bench = Awaited<ReturnType<typeof open>>;

const list = (from: number, to: number) =>
  JSON.stringify(Array.from({ length: to - from }, (_, index) => from + index));

async function makeDevices({ db, now }: Bench, count: number) {
  const at = new Date(now()).toISOString();
  for (let from = 0; from < count; from += ofSwarm)
    await db.write([
      {
        sql: `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded, keep_values, values_since)
              SELECT 'd' || value, 'bench', 'd', 'bug', $2, $2, 1, '', '', 'sent_at', $2 FROM elements($1)`,
        params: [list(from, Math.min(count, from + ofSwarm)), at],
      },
    ]);
}

/** Each of these devices sends once at a time, to its swarm. `payload`: SQL. */
async function send(
  { db }: Bench,
  { at, from, to, payload }: { at: number; from: number; to: number; payload: string },
) {
  await db.write([
    {
      sql: `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, rest)
            SELECT 'm' || value || '-' || $2, 's' || (value / ${ofSwarm}), 'd' || value, $2, ${payload}, 0, 0 FROM elements($1)`,
      params: [list(from, to), new Date(at).toISOString()],
    },
  ]);
}

const fewNumbers = `json_object('temperature', (abs(random()) % 400) / 10.0, 'humidity', abs(random()) % 100, 'battery', json_object('volts', (abs(random()) % 42) / 10.0))`;

print('| | | at most |\n|---|---|---|');
{
  const bench = await open();
  await makeDevices(bench, devices);
  let used = 0;
  for (let minute = -1; minute < minutes; minute++) {
    for (let from = 0; from < devices; from += ofSwarm)
      await send(bench, {
        at: bench.now() + (from / devices) * minuteMs,
        from,
        to: Math.min(devices, from + ofSwarm),
        payload: fewNumbers,
      });
    bench.wait(minuteMs);
    const before = process.cpuUsage();
    await bench.job.run();
    const { user, system } = process.cpuUsage(before);
    // The first one warms up, and makes the rows of the devices.
    if (minute >= 0) used += user + system;
    await bench.db.write([{ sql: 'DELETE FROM messages' }]);
  }
  const each = used / (devices * minutes);
  print(`| processor time of a message | ${each.toFixed(1)} µs | |`);
  print(`| ${devices} devices, once a minute | ${((each * devices) / minuteMs / 10).toFixed(1)} % of a core | 10 % |`);
  await bench.close();
}
{
  const bench = await open();
  await makeDevices(bench, 1);
  const eight = `json_object(${Array.from({ length: 8 }, (_, index) => `'sensor${index}', round(20 + 10 * sin($3 / 8640.0 + ${index}) + (abs(random()) % 10) / 10.0, 1)`).join(', ')})`;
  for (let day = 0; day < days; day++) {
    const times = JSON.stringify(Array.from({ length: 1440 }, (_, minute) => bench.now() + minute * minuteMs));
    await bench.db.write([
      {
        sql: `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, rest)
              SELECT 'm' || value, 's', 'd0', strftime('%Y-%m-%dT%H:%M:%fZ', value / 1000.0, 'unixepoch'), ${eight.replaceAll('$3', '(value / 10000)')}, 0, 0 FROM elements($1)`,
        params: [times],
      },
    ]);
    bench.wait(dayMs);
    await bench.job.run();
    await bench.db.write([{ sql: 'DELETE FROM messages' }]);
  }
  const rows = await bench.db.read<{ step: number; blocks: number; bytes: number; points: number }>({
    sql: 'SELECT step, count(*) AS blocks, sum(length(content)) AS bytes, sum(points) AS points FROM value_blocks GROUP BY step',
  });
  for (const { step, blocks, bytes, points } of rows)
    print(
      `| a device with 8 numbers, ${days} days: ${step === 0 ? 'points' : `steps of ${step} s`} | ${(bytes / 1024).toFixed(0)} kB in ${blocks} blocks (${points} points) | |`,
    );
  await bench.close();
}
