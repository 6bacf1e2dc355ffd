// stores: SQLite, PostgreSQL in the long run
/** A device that sends more values than can be recorded: which ones are, how the owner sees the others, and how the owner chooses. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Resource, Swarm, Values } from '../../contract.ts';
import { minuteMs, hourMs } from '../../core/limits/durations.ts';
import { valueLimits } from './limits.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let swarm: Swarm;
let device: Resource;
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  ann = await signUpClient(server, 'ann', 'gateway');
  swarm = await ann.swarm();
  device = await ann.device({ keep_values: 'sent_at' });
  await ann.add(swarm, device, 'producer');
});
afterEach(() => server[Symbol.asyncDispose]());

const say = async (payload: object) => {
  await ann.make(`/resources/${device.id}/messages`, { payload });
  await server.app.values.run();
};
const read = (user = ann) => user.get<Values>(`/resources/${device.id}/values`);
const statesOf = ({ series }: Values) => series.filter(({ kind }) => kind === 'state').map(({ key }) => key);

/** What a plug sends: its state first, whose clock is also in its other message. `isOn`: of its two switches. */
async function sayAsPlug(number: number, isOn: [boolean, boolean]): Promise<void> {
  const Time = server.now().toISOString();
  const [first, second] = isOn.map((on) => (on ? 'ON' : 'OFF'));
  await say({
    Time,
    Uptime: `0T00:${String(number % 60).padStart(2, '0')}:11`,
    SleepMode: 'Dynamic',
    POWER: first,
    Wifi: { SSId: 'home', BSSId: '02:00:00:00:00:01', Mode: '11n', Downtime: '0T00:00:03', RSSI: number % 7 },
  });
  await say({ Time, Switch1: second, AM2301: { Temperature: 20 + (number % 5) }, TempUnit: 'C' });
  server.wait(5 * minuteMs);
}

test('states that change from time to time have places; the owner sees what has none', async () => {
  for (let number = 0; number < 40; number++)
    await sayAsPlug(number, [Math.floor(number / 13) % 2 === 1, Math.floor(number / 9) % 2 === 1]);
  const values = await read();
  const shown = statesOf(values);
  expect(shown).toContain('POWER');
  expect(shown).toContain('Switch1');
  const switched = values.series.find(({ key }) => key === 'Switch1')!;
  expect(new Set<unknown>(switched.values)).toEqual(new Set(['OFF', 'ON']));
  expect(values.left_out).toContain('Uptime');
  expect(values.left_out).toContain('Time');
  expect(values.left_out).not.toContain('Switch1');
  // Eight are still recorded a day later, and the others are named.
  server.wait(hourMs);
  await sayAsPlug(41, [true, true]);
  const { series } = await ann.get<Values>(`/resources/${device.id}/values?last=yes`);
  expect(series.filter(({ kind }) => kind === 'state')).toHaveLength(valueLimits.states);
});

test('a switch that only says when it has changed is worth a place, too', async () => {
  for (let number = 0; number < 12; number++) {
    const texts = Array.from({ length: valueLimits.states }, (_, index) => [`text${index}`, 'same']);
    await say({ ...Object.fromEntries(texts), ...(number > 3 && { door: number % 2 === 0 ? 'open' : 'shut' }) });
    server.wait(minuteMs);
  }
  const values = await read();
  expect(statesOf(values)).toContain('door');
  expect(values.left_out).toHaveLength(1);
});

test('the numbers that have no place are named, and not to others', async () => {
  const ben = await signUpClient(server, 'ben');
  await ann.nameManager(swarm, 'ben', 'watcher');
  await ben.agree(swarm, 'ben');
  const numbers = Array.from({ length: valueLimits.numbers + 3 }, (_, index) => [`n${index + 10}`, index]);
  await say(Object.fromEntries(numbers));
  expect(await read()).toMatchObject({ left_out: ['n42', 'n43', 'n44'] });
  expect((await read(ben)).left_out).toBeUndefined();
});

test('the owner chooses', async () => {
  const texts = Array.from({ length: 10 }, (_, index) => [`s${index}`, 'same']);
  const payload = { ...Object.fromEntries(texts), a: 1, b: 2 };
  await say(payload);
  expect((await read()).left_out).toEqual(['s8', 's9']);
  const path = `/resources/${device.id}/values/keys`;
  await ann.request({ method: 'PUT', path, body: { keys: ['a', 's9'] } });
  server.wait(minuteMs);
  await say({ ...payload, new: 'x' });
  const chosen = await read();
  // What is recorded stays.
  expect(chosen.series.map(({ key, times }) => [key, times.length])).toEqual([
    ['a', 2],
    ['b', 1],
    ...texts.slice(0, 8).map(([key]) => [key, 1]),
    ['s9', 1],
  ]);
  expect(chosen).toMatchObject({
    chosen_keys: ['a', 's9'],
    left_out: ['b', 'new', ...texts.slice(0, 9).map(([key]) => key)],
  });
  await ann.request({ method: 'PUT', path, body: { keys: null } });
  server.wait(minuteMs);
  await say(payload);
  const again = await read();
  expect(again.chosen_keys).toBeUndefined();
  expect(again.series.find(({ key }) => key === 'b')?.times).toHaveLength(2);
  // The choice ends with the recording.
  await ann.request({ method: 'PUT', path, body: { keys: ['a'] } });
  for (const keep_values of [null, 'sent_at']) await ann.change(`/resources/${device.id}`, { keep_values });
  expect((await read()).chosen_keys).toBeUndefined();
});
