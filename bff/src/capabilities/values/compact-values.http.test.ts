// stores: SQLite, PostgreSQL in the long run
/** What one read of the job of values unpacks, when late points are summarised, and whom a fault of one device holds up. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Resource, Swarm, Values } from '../../contract.ts';
import { dayMs, hourMs, minuteMs } from '../../core/limits/durations.ts';
import { valueJob, valueLimits } from './limits.ts';
import { sql } from '../../core/store/statement.ts';
import { describeOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import { columnsOf } from './value-blocks.ts';

let server: TestServer;
let ann: ServiceClient;
let swarm: Swarm;
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  ann = await signUpClient(server, 'ann', 'gateway');
  swarm = await ann.swarm();
});
afterEach(() => server[Symbol.asyncDispose]());

async function sender(keep_values: 'sent_at' | 'time', user = ann, to = swarm): Promise<Resource> {
  const device = await user.device({ keep_values });
  await user.add(to, device, 'producer');
  return device;
}
const refOf = async (device: Resource) =>
  (await server.db.read<{ ref: number }>(sql`SELECT ref FROM resources WHERE id = ${device.id}`))[0]!.ref;

/** Messages as they are stored, without requests. */
async function store(device: Resource, payloads: readonly object[]): Promise<void> {
  const sentAt = server.now().getTime();
  const rows = payloads.map((payload, index) => ({
    id: `${device.id}-${sentAt}-${index}`,
    payload: JSON.stringify(payload),
  }));
  for (let from = 0; from < rows.length; from += 1000)
    await server.db.write(
      rows.slice(from, from + 1000).map(({ id, payload }) => ({
        ...sql`INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named, rest, user_id)
          VALUES (${id}, ${swarm.id}, ${device.id}, ${new Date(sentAt).toISOString()}, ${payload}, 0, 0, 'ann')`,
      })),
    );
}

/** Runs the job until nothing is left that is due. */
async function runWhole(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    server.wait(valueJob.compactEveryMs);
    await server.app.values.run();
  }
}

const steps = async () =>
  (await server.db.read<{ steps: number }>({ sql: 'SELECT sum(points) AS steps FROM value_blocks WHERE step > 0' }))[0]!
    .steps;
const numbers = Array.from({ length: valueLimits.numbers }, (_, index) => `n${index + 10}`);

describeOnSqlite('a device with as many steps as it may have', () => {
  const days = 45;
  const count = days * 288;

  /** One message in each step of five minutes, by its own time. */
  async function filled(): Promise<Resource> {
    const device = await sender('time');
    const begun = new Date(server.now().getTime() - days * dayMs).toISOString();
    await server.db.write([sql`UPDATE resources SET values_since = ${begun} WHERE id = ${device.id}`]);
    const now = server.now().getTime();
    for (let from = 0; from < count; from += 1000) {
      const payloads = Array.from({ length: Math.min(1000, count - from) }, (_, index) => ({
        time: now - days * dayMs + (from + index + 1) * 5 * minuteMs - 1,
        ...Object.fromEntries(numbers.map((key, number) => [key, ((from + index) * 7 + number) % 100])),
      }));
      await store(device, payloads);
    }
    await server.app.values.run();
    return device;
  }

  test('no read unpacks more than a few blocks, however far the times of its messages are apart', async () => {
    const device = await filled();
    const read: { rows: number; bytes: number; values: number }[] = [];
    const { read: original } = server.db;
    vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      if (query.shape?.name === 'compactedValues') {
        const rows = await original<{ step: number; content: Uint8Array }>({
          sql: query.sql,
          params: query.params ?? [],
        });
        const values = rows.map(({ step, content }) => {
          const { numbers: ofNumbers, states } = columnsOf(content, step);
          return [...ofNumbers, ...states].reduce((sum, [, { times }]) => sum + times.length, 0);
        });
        read.push({
          rows: rows.length,
          bytes: rows.reduce((sum, { content }) => sum + content.length, 0),
          values: values.reduce((sum, each) => sum + each, 0),
        });
      }
      return original(query);
    });
    server.wait((valueJob.lateHours + 1) * hourMs);
    await runWhole();
    expect(await steps()).toBeGreaterThan(0.5 * valueLimits.steps);
    const late = Array.from({ length: 300 }, (_, index) => ({
      time: server.now().getTime() - ((index * 7919) % (30 * 288)) * 5 * minuteMs,
      ...Object.fromEntries(numbers.map((key) => [key, 1000 + index])),
    }));
    await store(device, late);
    await server.app.values.run();
    server.wait((valueJob.lateHours + 1) * hourMs);
    await runWhole();
    expect(read.length).toBeGreaterThan(days);
    expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThanOrEqual(50);
    expect(Math.max(...read.map(({ bytes }) => bytes))).toBeLessThan(50_000);
    expect(Math.max(...read.map(({ values }) => values))).toBeLessThan(2 * valueJob.stepsAtOnce);
    // All of them are summarised, each once.
    const left = await original<{ left: number }>({
      sql: `SELECT count(*) AS left FROM value_blocks WHERE step = 0 AND ends < ${server.now().getTime() - 32 * hourMs}`,
    });
    expect(left).toEqual([{ left: 0 }]);
    const from = new Date(server.now().getTime() - 40 * dayMs).toISOString();
    const text = await (
      await ann.request({ path: `/resources/${device.id}/values?from=${from}&format=csv&keys=n10` })
    ).text();
    const lines = text.trimEnd().split('\r\n').slice(1);
    const places = lines.map((line) => line.split(',')[0]);
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...lines.map((line) => Number(line.split(',')[6] || line.split(',')[2])))).toBe(1299);
  });
});

describe('late points', () => {
  test('wait for others, and are then summarised with them', async () => {
    const device = await sender('time');
    server.wait(20 * dayMs);
    await runWhole();
    const blocks = async (step: number) =>
      (
        await server.db.read<{ count: number }>({
          sql: `SELECT count(*) AS count FROM value_blocks WHERE step ${step === 0 ? '= 0' : '> 0'}`,
        })
      )[0]!.count;
    const send = async () => {
      const now = server.now().getTime();
      await store(
        device,
        Array.from({ length: 200 }, (_, index) => ({ time: now - ((index % 10) + 3) * dayMs, n: index })),
      );
      await server.app.values.run();
    };
    await send();
    expect(await blocks(0)).toBeGreaterThan(0);
    for (let hours = 1; hours < valueJob.lateHours; hours++) {
      server.wait(hourMs);
      await send();
      expect(await blocks(1)).toBe(0);
    }
    server.wait(2 * hourMs);
    await server.app.values.run();
    expect(await blocks(1)).toBeGreaterThan(0);
  });

  test('own times count from the switch on; what is recorded stays', async () => {
    const device = await sender('sent_at');
    const say = async (n: number, time: number) =>
      ann.make(`/resources/${device.id}/messages`, { payload: { n, time } });
    server.wait(hourMs);
    await say(1, server.now().getTime() - 30 * minuteMs);
    await server.app.values.run();
    server.wait(minuteMs);
    // The job has not read it when the switch comes.
    await say(2, server.now().getTime() - 30 * minuteMs);
    const [first, second] = [server.now().getTime() - minuteMs, server.now().getTime()];
    server.wait(minuteMs);
    await ann.change(`/resources/${device.id}`, { keep_values: 'time' });
    server.wait(10 * minuteMs);
    await say(3, server.now().getTime() - 20 * minuteMs);
    const third = server.now().getTime() - 5 * minuteMs;
    await say(4, third);
    for (const isRecorded of [false, true]) {
      if (isRecorded) await server.app.values.run();
      const { series } = await ann.get<Values>(`/resources/${device.id}/values?keys=n`);
      expect(series).toMatchObject([{ times: [first, second, third], values: [1, 2, 4] }]);
    }
    const { series } = await ann.get<Values>(`/resources/${device.id}/values?last=yes&keys=n`);
    expect(series).toMatchObject([{ times: [third], values: [4] }]);
  });
});

describe('a device whose stored values cannot be read', () => {
  async function two() {
    const ben = await signUpClient(server, 'ben');
    const theirs = await ben.swarm();
    const [broken, whole] = [await sender('sent_at'), await sender('sent_at', ben, theirs)];
    return { ben, broken, whole };
  }

  test('holds up the recording of nobody else', async () => {
    const { ben, broken, whole } = await two();
    await ann.make(`/resources/${broken.id}/messages`, { payload: { a: 1 } });
    await server.app.values.run();
    await server.db.write([sql`UPDATE device_values SET last = '{' WHERE ref = ${await refOf(broken)}`]);
    await ann.make(`/resources/${broken.id}/messages`, { payload: { a: 2 } });
    await ben.make(`/resources/${whole.id}/messages`, { payload: { a: 3 } });
    await server.app.values.run();
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    const { series } = await ben.get<Values>(`/resources/${whole.id}/values`);
    expect(series).toMatchObject([{ values: [3] }]);
    expect((await server.app.measure()).values?.missed).toBe(1);
  });

  test('holds up the summaries of nobody else', async () => {
    const { ben, broken, whole } = await two();
    for (const [user, device] of [
      [ann, broken],
      [ben, whole],
    ] as const) {
      for (let n = 0; n < 3; n++) await user.make(`/resources/${device.id}/messages`, { payload: { n } });
      await server.app.values.run();
    }
    server.wait(31 * hourMs);
    await server.db.write([sql`UPDATE device_values SET open = '{' WHERE ref = ${await refOf(broken)}`]);
    await server.app.values.run();
    const stepsOf = async (device: Resource) =>
      (
        await server.db.read<{ step: number }>(
          sql`SELECT step FROM value_blocks WHERE ref = ${await refOf(device)} ORDER BY step`,
        )
      ).map(({ step }) => step);
    expect(await stepsOf(whole)).toEqual([300]);
    await server.db.write([
      sql`UPDATE value_blocks SET content = ${Uint8Array.of(1)} WHERE ref = ${await refOf(whole)}`,
    ]);
    await server.db.write([
      sql`UPDATE device_values SET open = '', opened_at = NULL WHERE ref = ${await refOf(broken)}`,
    ]);
    for (let n = 0; n < 3; n++) await ann.make(`/resources/${broken.id}/messages`, { payload: { n } });
    await server.app.values.run();
    for (let times = 0; times < 2; times++) {
      server.wait(9 * dayMs);
      await server.app.values.run();
    }
    expect(await stepsOf(broken)).toEqual([3600]);
    expect(await stepsOf(whole)).toEqual([300]);
  });
});

test('what is sent while much is summarised is recorded before the rest', async () => {
  const devices = await Promise.all(
    Array.from({ length: 3 * valueJob.devices }, () => ann.device({ keep_values: 'sent_at' })),
  );
  const at = server.now().getTime() - 3 * dayMs;
  for (const { id } of devices) await server.app.values.addPast({ id, points: [{ at, payload: { a: 1 } }] });
  const ben = await signUpClient(server, 'ben');
  const theirs = await sender('sent_at', ben, await ben.swarm());
  const order: string[] = [];
  let next: Promise<void> | undefined;
  const another = await server.startAnother({
    ...server.db,
    async write(statements) {
      const ofJob = statements.flatMap(
        ({ sql: text }) => /INTO value_cursor|DELETE FROM value_blocks/.exec(text) ?? [],
      );
      order.push(...ofJob);
      const written = await server.db.write(statements);
      if (ofJob.includes('DELETE FROM value_blocks') && !next) {
        await ben.make(`/resources/${theirs.id}/messages`, { payload: { a: 2 } });
        next = another.values.run();
      }
      return written;
    },
  });
  await another.values.run();
  await next;
  await another.close();
  const [recorded, summarised] = [
    order.lastIndexOf('INTO value_cursor'),
    order.lastIndexOf('DELETE FROM value_blocks'),
  ];
  expect(recorded).toBeGreaterThan(order.indexOf('DELETE FROM value_blocks'));
  expect(recorded).toBeLessThan(summarised);
  expect(order.filter((sql) => sql.startsWith('DELETE'))).toHaveLength(devices.length);
});
