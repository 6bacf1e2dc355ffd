// stores: SQLite, PostgreSQL
/** Random messages, switches, and jobs in three processes that are killed in the middle: each value is kept once, and read by whom it was sent to. */
import { expect, test } from 'vitest';
import type { App } from '../../app.ts';
import type { Resource, Swarm, Values } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { StorageError } from '../../core/store/statement.ts';
import { createRandom } from '../../tests/durability.fixture.ts';
import { long, seed } from '../../tests/process.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';

interface Sent {
  at: number;
  key: string;
  value: number;
  swarms: string[];
}

interface Model {
  device: Resource;
  /** In ms, since when its values are kept; undefined: they are not. */
  since: number | undefined;
  sent: Sent[];
}

const keys = ['temperature', 'level', 'battery.volts'];

test('each value is kept once, whatever ends a job', async () => {
  await using server = await createTestServer({ isRepeatable: true });
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const [ann, ben] = (await Promise.all(['ann', 'ben'].map((name) => signUpClient(server, name)))) as [
    ServiceClient,
    ServiceClient,
  ];

  /** A process whose job ends before or after a commit: it does not know which. */
  let kills = 0;
  const killing: Database = {
    ...server.db,
    async write(statements) {
      const isOfJob = statements.some(({ sql }) => /INTO value_cursor|value_blocks/.test(sql));
      const kill = isOfJob ? random() : 1;
      if (kill < 0.5) kills += 1;
      if (kill < 0.25) throw new StorageError('away', 'it was killed before');
      const written = await server.db.write(statements);
      if (kill < 0.5) throw new StorageError('away', 'it was killed after');
      return written;
    },
  };
  const processes: App[] = [server.app, await server.startAnother(killing), await server.startAnother(killing)];
  const [ring, theirs] = [await ann.swarm(), await ben.swarm()] as [Swarm, Swarm];
  const models: Model[] = [];
  for (let index = 0; index < 3; index++) {
    const device = await ann.device();
    await ann.add(ring, device, 'producer');
    await ann.accept(await ben.invite(theirs, device, 'producer'));
    models.push({ device, since: undefined, sent: [] });
  }

  async function say(model: Model): Promise<void> {
    const to = pick([undefined, ring, theirs]);
    const said = keys.filter(() => random() < 0.6).map((key) => [key, Math.round(random() * 1000) / 10] as const);
    const payload: Record<string, unknown> = {};
    for (const [key, value] of said) {
      if (key === 'battery.volts') payload['battery'] = { volts: value };
      else payload[key] = value;
    }
    const { sent_at, swarms } = await ann.make<{ sent_at: string; swarms: string[] }>(
      `/resources/${model.device.id}/messages`,
      { payload, ...(to && { swarm_id: to.id }) },
    );
    for (const [key, value] of said) model.sent.push({ at: Date.parse(sent_at), key, value, swarms });
    server.wait(10);
  }
  async function toggle(model: Model): Promise<void> {
    server.wait(1000);
    const on = model.since === undefined;
    await ann.change(`/resources/${model.device.id}`, { keep_values: on ? 'sent_at' : null });
    model.since = on ? server.now().getTime() : undefined;
    server.wait(1000);
  }
  async function check(model: Model, user: ServiceClient): Promise<void> {
    const { series } = await user.get<Values>(`/resources/${model.device.id}/values`);
    const isSeen = ({ at, swarms }: Sent) => at >= (model.since ?? 0) && (user === ann || swarms.includes(theirs.id));
    for (const key of keys) {
      const expected = model.sent.filter((sent) => sent.key === key && isSeen(sent));
      const found = series.find((each) => each.key === key);
      expect(found?.values ?? [], `${user.name} ${key}`).toEqual(expected.map(({ value }) => value));
      expect(found?.times ?? []).toEqual(expected.map(({ at }) => at));
    }
  }

  for (let step = 0; step < (long ? 3000 : isOnPostgres ? 100 : 250); step++) {
    const model = pick(models);
    const what = random();
    server.wait(Math.floor(random() * 5000) + 1);
    if (what < 0.7) for (let times = Math.ceil(random() * 8); times > 0; times--) await say(model);
    else if (what < 0.75) await toggle(model);
    else if (what < 0.9) {
      const first = Math.floor(random() * processes.length);
      const inOrder = [...processes.slice(first), ...processes.slice(0, first)];
      await Promise.all([...inOrder.map(({ values }) => values.run()), ...(random() < 0.5 ? [say(model)] : [])]);
      // Another process may have the next lease.
      if (random() < 0.8) server.wait(40_000);
    } else {
      await check(model, ann);
      await check(model, ben);
    }
  }
  server.wait(100_000);
  await server.app.values.run();
  await server.db.write([{ sql: 'DELETE FROM messages WHERE seq <= (SELECT seq FROM value_cursor)' }]);
  for (const model of models.filter(({ since }) => since !== undefined))
    for (const user of [ann, ben]) await check(model, user);
  expect(kills).toBeGreaterThan(0);
  for (const app of processes.slice(1)) await app.close();
});
