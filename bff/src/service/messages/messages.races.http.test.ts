/** Memberships end while many messages are sent: after the answer, nothing more is sent or delivered. */
import { expect, test } from 'vitest';
import type { CreatedApiKey, Resource, Swarm } from '../../contract.ts';
import { join } from '../../tests/events.fixture.ts';
import { startHttpServer } from '../../tests/http-server.fixture.ts';
import { deviceClient } from '../../tests/messages.fixture.ts';
import { long } from '../../tests/process.fixture.ts';

const removals = long ? 5000 : 40;

test(`${2 * removals} removals under load: nothing is sent or delivered after the answer`, async () => {
  await using server = await startHttpServer();
  const ann = await join(server.url, 'ann');
  const swarm = await ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
  async function device() {
    const { id } = await ann.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
    const made = await ann.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
    return deviceClient(server.url, { key: ((await made.json()) as CreatedApiKey).key, device: id });
  }
  const add = (id: string, resource_type: string) =>
    ann.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: id, resource_type });
  const remove = (id: string) => ann.request('DELETE', `/swarms/${swarm.id}/resources/${id}`);
  const [witness, consumer, producer, steady] = [await device(), await device(), await device(), await device()];
  await add(witness.device, 'consumer');
  await add(steady.device, 'producer');
  const all = await witness.receive();
  const receiver = await consumer.receive();
  let isOver = false;
  const load = [steady, steady, producer, producer].map(async (sender) => {
    while (!isOver) {
      const { status } = await sender.post({ payload: 'load' });
      // Those of the producer are sent or refused, as it happens.
      if (sender === steady) expect(status).toBe(201);
    }
  });
  for (let n = 0; n < removals; n++) {
    await Promise.all([add(consumer.device, 'consumer'), add(producer.device, 'producer')]);
    await producer.send(`before ${n}`);
    const seen = receiver.messages.length;
    await receiver.until(({ length }) => length > seen);
    await Promise.all([remove(consumer.device), remove(producer.device)]);
    const delivered = receiver.messages.length;
    expect((await producer.post({ payload: `refused ${n}` })).status).toBe(403);
    await steady.send(`after ${n}`);
    await all.until((messages) => messages.some(({ payload }) => payload === `after ${n}`));
    // What was under way to the client before the answer may arrive after it; what was sent after it may not.
    const later = receiver.messages.slice(delivered).map(({ payload }) => payload);
    expect(later.filter((payload) => payload !== 'load')).toEqual([]);
    all.messages.length = 0;
  }
  isOver = true;
  await Promise.all(load);
  const texts = receiver.messages.map(({ payload }) => String(payload));
  expect(texts.filter((text) => /^(after|refused)/.test(text))).toEqual([]);
  all.close();
  receiver.close();
});
