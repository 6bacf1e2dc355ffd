// stores: SQLite, PostgreSQL
/** Memberships end while many messages are sent: after the answer, nothing more is sent or delivered. */
import { expect, test } from 'vitest';
import type { CreatedApiKey, Message, Resource, Swarm } from '../../contract.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { join } from '../../tests/events.fixture.ts';
import { startHttpServer } from '../../tests/http-server.fixture.ts';
import { deviceClient } from '../../tests/messages.fixture.ts';
import { long } from '../../tests/process.fixture.ts';

const removals = long ? 5000 : isOnPostgres ? 15 : 40;

const has =
  (text: string, from = 0) =>
  (messages: readonly Message[]) =>
    messages.slice(from).some(({ payload }) => payload === text);

test(`${2 * removals} removals under load: nothing is sent or delivered after the answer`, async () => {
  await using server = await startHttpServer();
  const ann = await join(server.url, 'ann');
  const swarm = await ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
  async function device() {
    const { id } = await ann.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
    const made = await ann.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
    return deviceClient(server.url, { key: ((await made.json()) as CreatedApiKey).key, device: id });
  }
  const add = (id: string, resource_type: string, { id: swarmId } = swarm) =>
    ann.request('POST', `/swarms/${swarmId}/resources`, { resource_id: id, resource_type });
  const remove = (id: string) => ann.request('DELETE', `/swarms/${swarm.id}/resources/${id}`);
  const [witness, consumer, producer, steady] = [await device(), await device(), await device(), await device()];
  await add(witness.device, 'consumer');
  await add(steady.device, 'producer');
  // What the consumer still receives of another swarm says how far it has read.
  const other = await ann.request<Swarm>('POST', '/swarms', { name: 'Other', description: '' });
  await add(consumer.device, 'consumer', other);
  await add(steady.device, 'producer', other);
  const inRing = { swarm_id: swarm.id };
  const all = await witness.receive();
  const receiver = await consumer.receive();
  let isOver = false;
  const load = [steady, steady, producer, producer].map(async (sender) => {
    while (!isOver) {
      const { status } = await sender.post({ payload: 'load', ...inRing });
      // Those of the producer are sent or refused, as it happens.
      if (sender === steady) expect(status).toBe(201);
    }
  });
  for (let n = 0; n < removals; n++) {
    await Promise.all([add(consumer.device, 'consumer'), add(producer.device, 'producer')]);
    const seen = receiver.messages.length;
    await producer.send(`before ${n}`);
    await receiver.until(has(`before ${n}`, seen));
    await Promise.all([remove(consumer.device), remove(producer.device)]);
    const delivered = receiver.messages.length;
    expect((await producer.post({ payload: `refused ${n}` })).status).toBe(403);
    await steady.send(`after ${n}`, inRing);
    await all.until(has(`after ${n}`));
    // If it joined again before it has read so far, it would get what was sent meanwhile, as one that resumes.
    await steady.send(`read up to ${n}`, { swarm_id: other.id });
    await receiver.until(has(`read up to ${n}`, delivered));
    // What was under way to the client before the answer may arrive after it; what was sent after it may not.
    const later = receiver.messages.slice(delivered).map(({ payload }) => payload);
    expect(later.filter((payload) => payload !== 'load')).toEqual([`read up to ${n}`]);
    all.messages.length = 0;
  }
  isOver = true;
  await Promise.all(load);
  const texts = receiver.messages.map(({ payload }) => String(payload));
  expect(texts.filter((text) => /^(after|refused)/.test(text))).toEqual([]);
  all.close();
  receiver.close();
});
