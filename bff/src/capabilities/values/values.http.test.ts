// stores: SQLite, PostgreSQL in the long run
/** Values over HTTP: which are kept for how long, who reads which, and what ends with them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Audience, DevicePage, Resource, Swarm, SwarmValues, Values, ValueSeries } from '../../contract.ts';
import { dayMs, hourMs, minuteMs } from '../../core/limits/durations.ts';
import { valueLimits } from './limits.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
import { boundsOf, packBlock } from './value-blocks.ts';
import { insertBlock } from './value-rows.store.ts';
import { seriesOf as pointSeries, type Change } from './value-steps.ts';

let server: TestServer;
let ann: ServiceClient;
let swarm: Swarm;
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  ann = await signUpClient(server, 'ann', 'gateway');
  swarm = await ann.swarm();
});
afterEach(() => server[Symbol.asyncDispose]());

const secondMs = 1000;

async function sender(more: object = {}, to: Swarm[] = [swarm]): Promise<Resource> {
  const device = await ann.device({ keep_values: 'sent_at', ...more });
  for (const each of to) await ann.add(each, device, 'producer');
  return device;
}
const say = (device: Resource, payload: unknown, more: object = {}, user = ann) =>
  user.make<object>(`/resources/${device.id}/messages`, { payload, ...more });
const keep = () => server.app.values.run();
const ago = (ms: number) => new Date(server.now().getTime() - ms).toISOString();
const read = (device: Resource, query = '', user = ann) => user.get<Values>(`/resources/${device.id}/values${query}`);
const seriesOf = (values: { series: ValueSeries[] }, key: string, kind: ValueSeries['kind'] = 'number') =>
  values.series.find((series) => series.key === key && series.kind === kind);
const valuesOf = async (device: Resource, key: string, user = ann, query = '') =>
  seriesOf(await read(device, query, user), key)?.values ?? [];
const count = async (table: string) =>
  (await server.db.read<{ count: number }>({ sql: `SELECT count(*) AS count FROM ${table}` }))[0]!.count;

describe('points', () => {
  test('numbers, booleans and texts by their paths, with their times, before and after the job', async () => {
    const device = await sender();
    const times: number[] = [];
    for (const [temperature, isOpen] of [
      [21.5, false],
      [-3, true],
    ] as const) {
      server.wait(minuteMs);
      times.push(server.now().getTime());
      await say(device, {
        temperature,
        battery: { volts: 3.8, cells: [1, 2] },
        door: { open: isOpen, by: null },
        mode: 'eco',
      });
    }
    const expected = [
      { key: 'battery.volts', kind: 'number', times, values: [3.8, 3.8] },
      { key: 'door.open', kind: 'state', times, values: [false, true] },
      { key: 'mode', kind: 'state', times, values: ['eco', 'eco'] },
      { key: 'temperature', kind: 'number', times, values: [21.5, -3] },
    ];
    expect(await read(device)).toMatchObject({ step: 0, series: expected });
    await keep();
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    const kept = await read(device);
    expect(kept).toMatchObject({ step: 0, series: expected });
    expect(Date.parse(kept.kept_since!)).toBeLessThan(times[0]!);
    expect(await read(device, '?keys=mode,none')).toMatchObject({ series: [expected[2]] });
    expect(await read(device, `?to=${ago(minuteMs)}`)).toMatchObject({
      series: expected.map(({ values, ...rest }) => ({ ...rest, times: [times[0]], values: [values[0]] })),
    });
  });

  test('the last value of each key, with its own time, however old it is', async () => {
    for (const device of [await sender(), await sender({ keep_values: undefined })]) {
      await say(device, { level: 'low', battery: { volts: 3.8 } });
      const first = server.now().getTime();
      for (let sent = 0; sent < 3; sent++) {
        server.wait(minuteMs);
        await say(device, { level: sent });
      }
      const at = server.now().getTime();
      const expected = [
        { key: 'battery.volts', kind: 'number', times: [first], values: [3.8] },
        { key: 'level', kind: 'number', times: [at], values: [2] },
        { key: 'level', kind: 'state', times: [first], values: ['low'] },
      ];
      expect(await read(device, '?last=yes')).toMatchObject({ step: 0, series: expected });
      expect((await read(device, '?last=yes&keys=battery.volts')).series).toEqual([expected[0]]);
      if (device.keep_values === undefined) continue;
      await keep();
      await server.db.write([{ sql: 'DELETE FROM messages' }]);
      server.wait(3 * dayMs);
      await keep();
      expect((await read(device, '?last=yes')).series).toEqual(expected);
    }
  });

  test('the newest of many last values are an answer', async () => {
    const device = await sender({ keep_values: undefined });
    for (let sent = 0; sent < 3; sent++) {
      server.wait(minuteMs);
      await say(device, Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${sent}-${index}`, index])));
    }
    const { series } = await read(device, '?last=yes');
    expect(series).toHaveLength(valueLimits.seriesOfAnswer);
    expect(series.every(({ key }) => key.startsWith('k2-'))).toBe(true);
  });

  test('a number, a boolean or a text alone is a value; a key may change its type', async () => {
    const device = await sender();
    for (const payload of [1, 'open', true, [1], null, { value: 2 }, { value: 'NaN' }, {}]) {
      server.wait(secondMs);
      await say(device, payload);
    }
    await say(device, '{"value":5}', { encoding: 'text' });
    await say(device, 'AAAA', { encoding: 'base64' });
    for (const isKept of [false, true]) {
      if (isKept) await keep();
      const { series } = await read(device);
      expect(series.map(({ kind, values }) => [kind, values])).toEqual([
        ['number', [1, 2]],
        ['state', ['open', true, 'NaN', '{"value":5}']],
      ]);
    }
  });

  test('a text that is a decimal number is this number, and one that only looks like it stays a text', async () => {
    const device = await sender();
    const numbers = { temperature: '20.50', offset: '-3', none: '-0.0', half: '.5', bytes: '1796000000000' };
    const texts = {
      zeros: '007',
      imei: '356938035643809',
      hex: '0x10',
      exponent: '1e5',
      space: ' 5',
      plus: '+5',
      comma: '20,5',
      unit: '5 C',
      version: '1.2.3',
      empty: '',
    };
    await say(device, { ...numbers, nested: { level: '1' } });
    await say(device, texts);
    for (const isKept of [false, true]) {
      if (isKept) await keep();
      const { series } = await read(device, '?last=yes');
      const ofKind = (kind: ValueSeries['kind']) =>
        Object.fromEntries(series.flatMap((each) => (each.kind === kind ? [[each.key, each.values[0]]] : [])));
      expect(ofKind('number')).toEqual({
        temperature: 20.5,
        offset: -3,
        none: 0,
        half: 0.5,
        bytes: 1_796_000_000_000,
        'nested.level': 1,
      });
      if (!isKept) expect(ofKind('state')).toEqual(texts);
    }
  });

  test('the time of a payload may be a text with a number', async () => {
    const device = await sender({ keep_values: 'time' });
    const time = server.now().getTime() + minuteMs;
    server.wait(hourMs);
    await say(device, { time: String(time), level: 1 });
    await say(device, { time: String((time + 1000) / 1000), level: 2 });
    expect((await read(device)).series).toMatchObject([{ key: 'level', times: [time, time + 1000], values: [1, 2] }]);
  });

  test('strange names and numbers', async () => {
    const device = await sender();
    const payload = `{"toString":1,"constructor":2,"a,b%":3,"":4,"huge":1e308,"small":-5e-324,"${'k'.repeat(101)}":5,"text":"${'t'.repeat(100)}"}`;
    for (let times = 0; times < 3; times++) {
      const sent = await ann.request({
        method: 'POST',
        path: `/resources/${device.id}/messages`,
        body: `{"payload":${payload}}`,
      });
      expect(sent.status, await sent.text()).toBe(201);
    }
    await keep();
    const { series } = await read(device);
    expect(Object.fromEntries(series.map(({ key, values }) => [key, values.at(-1)]))).toEqual(
      Object.fromEntries([
        ['toString', 1],
        ['constructor', 2],
        ['a,b%', 3],
        ['', 4],
        ['huge', 1e308],
        ['small', -5e-324],
        ['text', 't'.repeat(64)],
      ]),
    );
    expect(await valuesOf(device, 'a,b%', ann, `?keys=${encodeURIComponent(encodeURIComponent('a,b%'))}`)).toEqual([
      3, 3, 3,
    ]);
    // Their sum is no number.
    server.wait(31 * hourMs);
    await keep();
    expect(seriesOf(await read(device, `?from=${ago(2 * dayMs)}`), 'huge')).toMatchObject({
      values: [1e308],
      max: [1e308],
      count: [3],
    });
  });

  test('a message is kept once, with all its swarms, and not if it is to one device', async () => {
    const other = await ann.swarm();
    const device = await sender({}, [swarm, other]);
    const receiver = await ann.device();
    await ann.add(swarm, receiver, 'consumer');
    await say(device, { a: 1 }, { message_id: 'one' });
    await say(device, { a: 1 }, { message_id: 'one' });
    await say(device, { a: 2 }, { swarm_id: swarm.id, to: receiver.id });
    await keep();
    await keep();
    expect(await valuesOf(device, 'a')).toEqual([1]);
    expect(await count('messages')).toBe(3);
  });

  test('up to so many keys, and a new one takes the place of one that was not sent for a day', async () => {
    const device = await sender();
    const { numbers, states } = valueLimits;
    const payload = (from: number) =>
      Object.fromEntries(
        [...Array(40).keys()].flatMap((index) => [
          [`n${from + index}`, index],
          [`s${from + index}`, 'on'],
        ]),
      );
    for (let times = 0; times < 3; times++) {
      await say(device, payload(100 * times));
      server.wait(hourMs);
    }
    await keep();
    const first = await read(device);
    expect(first.series.filter(({ kind }) => kind === 'number')).toHaveLength(numbers);
    expect(first.series.filter(({ kind }) => kind === 'state')).toHaveLength(states);
    expect(first.series.every(({ key }) => /^.\d\d?$/.test(key))).toBe(true);
    server.wait(dayMs);
    await say(device, { new: 1 });
    await keep();
    expect(await valuesOf(device, 'new')).toEqual([1]);
  });

  test('of 10,000 different keys, the first ones', async () => {
    const device = await sender();
    const { numbers, ofPayload } = valueLimits;
    for (let sent = 0; sent < 10_000; sent += ofPayload)
      await say(
        device,
        Object.fromEntries(Array.from({ length: ofPayload }, (_, index) => [`k${sent + index}`, sent])),
      );
    await keep();
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    const first = Array.from({ length: numbers }, (_, index) => `k${index}`);
    const { series } = await read(device);
    expect(series.map(({ key, values }) => [key, values])).toEqual(first.toSorted().map((key) => [key, [0]]));
  });

  test('the time of the payload, if the device says so and it is not in the future', async () => {
    const device = await sender({ keep_values: 'time' });
    server.wait(10 * minuteMs);
    const at = server.now().getTime();
    for (const [index, time] of [
      at - minuteMs,
      Math.floor((at - 2 * minuteMs) / 1000),
      new Date(at - 3 * minuteMs).toISOString(),
      at + hourMs,
      'yesterday',
      '2026-01-01T00:00:00',
      // Before it was switched on.
      at - 20 * minuteMs,
    ].entries())
      await say(device, { index, time });
    for (const isKept of [false, true]) {
      if (isKept) await keep();
      const { series } = await read(device);
      expect(series.map(({ key }) => key)).toEqual(['index']);
      const [{ times, values }] = series as [ValueSeries];
      expect(values.slice(0, 3)).toEqual([2, 1, 0]);
      expect(times.map((time) => Math.round((at - time) / minuteMs))).toEqual([3, 2, 1, 0, 0, 0]);
    }
  });
});

describe('how long', () => {
  test('points of a day, five-minute steps of a week, hourly steps of a year', async () => {
    const device = await sender();
    const start = Math.ceil(server.now().getTime() / hourMs) * hourMs;
    server.wait(start - server.now().getTime());
    for (let minute = 0; minute < 120; minute++) {
      await say(device, { level: minute % 10, door: minute % 60 < 30 });
      server.wait(minuteMs);
    }
    await keep();
    const all = `?from=${new Date(start).toISOString()}`;
    expect(await read(device, all)).toMatchObject({ step: 0 });
    server.wait(31 * hourMs);
    await keep();
    const ofDays = await read(device, all);
    expect(ofDays.step).toBe(300);
    expect(seriesOf(ofDays, 'level')).toEqual({
      key: 'level',
      kind: 'number',
      times: Array.from({ length: 24 }, (_, index) => start + index * 5 * minuteMs),
      values: Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 2 : 7)),
      first: Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 0 : 5)),
      last: Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 4 : 9)),
      min: Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 0 : 5)),
      max: Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 4 : 9)),
      count: Array(24).fill(5),
    });
    // Its changes have their own times.
    expect(seriesOf(ofDays, 'door', 'state')).toMatchObject({
      times: [0, 30, 60, 90, 119].map((minute) => start + minute * minuteMs),
      values: [true, false, true, false, false],
    });
    server.wait(9 * dayMs);
    await keep();
    const ofYear = await read(device, all);
    expect(ofYear).toMatchObject({ step: 3600 });
    expect(seriesOf(ofYear, 'level')).toMatchObject({
      times: [start, start + hourMs],
      values: [4.5, 4.5],
      first: [0, 0],
      last: [9, 9],
      count: [60, 60],
    });
    expect(seriesOf(ofYear, 'door', 'state')!.values.slice(0, 4)).toEqual([true, false, true, false]);
    const columns = (
      await (await ann.request({ path: `/resources/${device.id}/values${all}&format=csv&keys=level` })).text()
    ).split('\r\n');
    expect(columns).toEqual([
      'at,key,value,first,last,min,max,count',
      `${new Date(start).toISOString()},level,4.5,0,9,0,9,60`,
      `${new Date(start + hourMs).toISOString()},level,4.5,0,9,0,9,60`,
      '',
    ]);
    server.wait(366 * dayMs);
    await keep();
    expect(await count('value_blocks')).toBe(0);
  });

  test('of a device that sends very often, the last points; then steps', async () => {
    const device = await sender();
    const times = Math.ceil((valueLimits.points * 1.3) / 500);
    for (let part = 0; part < times; part++) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => say(device, { n: part * 500 + index })));
      server.wait(5 * minuteMs);
      await keep();
    }
    const { step, series } = await read(device);
    expect(step).toBeGreaterThan(0);
    const [n] = series as [Extract<ValueSeries, { kind: 'number' }>];
    expect(n.count!.reduce((sum, each) => sum + each, 0)).toBe(times * 500);
    expect(n.times.length).toBeLessThanOrEqual(valueLimits.pointsOfSeries);
    const [left] = await server.db.read<{ points: number }>({
      sql: 'SELECT sum(points) AS points FROM value_blocks WHERE step = 0',
    });
    expect(left!.points).toBeLessThanOrEqual(valueLimits.points * 1.25 + 500);
  });

  test('few points and many in turn are each kept once, also when they are summarised', async () => {
    const device = await sender();
    const sent: number[] = [];
    // More than `openLength` in one window, beside an older text and without one, and in several windows.
    for (const points of [1, 200, 1, 1, 150, 90, 90, 1, 1]) {
      for (let point = 0; point < points; point++) {
        server.wait(secondMs);
        await say(device, { n: sent.push(sent.length) });
      }
      await keep();
    }
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    expect(await valuesOf(device, 'n')).toEqual(sent.map((_, index) => index + 1));
    const from = `?from=${ago(hourMs)}`;
    server.wait(31 * hourMs);
    await keep();
    const { count: counts, last } = seriesOf(await read(device, from), 'n') as Extract<ValueSeries, { kind: 'number' }>;
    expect(counts!.reduce((sum, each) => sum + each, 0)).toBe(sent.length);
    expect(last!.at(-1)).toBe(sent.length);
  });

  test('what was sent before it was switched on is not kept, and it ends with the switch and with the device', async () => {
    const device = await sender({ keep_values: undefined });
    await say(device, { a: 1 });
    server.wait(minuteMs);
    expect(await read(device)).toMatchObject({ kept_since: null, series: [{ values: [1] }] });
    await ann.change(`/resources/${device.id}`, { keep_values: 'sent_at' });
    expect((await read(device)).series).toEqual([]);
    await say(device, { a: 2 });
    await keep();
    await ann.change(`/resources/${device.id}`, { keep_values: 'time' });
    expect(await valuesOf(device, 'a')).toEqual([2]);
    const second = await sender();
    await say(second, { a: 3 });
    await keep();
    expect(await count('device_values')).toBe(2);
    await ann.change(`/resources/${device.id}`, { keep_values: null });
    expect(await count('device_values')).toBe(1);
    expect(await read(device)).toMatchObject({ kept_since: null, series: [{ values: [1, 2] }] });

    const actions = actionsOf(ann);
    const deletion = await actions.start({
      kind: 'delete',
      about: {},
      wait: 0,
      items: [{ id: second.id, name: second.name }],
    });
    await actions.ended(deletion.id);
    expect(await count('device_values')).toBe(0);
    await actions.ended((await actions.act(deletion.id, 'undo')).id);
    expect(await ann.get<Resource>(`/resources/${second.id}`)).toMatchObject({ keep_values: 'sent_at' });
    expect((await read(second)).series).toEqual([]);
  });

  test('the oldest values of a user beyond the share are deleted, and nobody else’s', async () => {
    await using small = await createTestServer({ isRepeatable: true, quotas: 0.00001 });
    const ben = await signUpClient(small, 'ben');
    const ring = await ben.swarm();
    const device = await ben.device({ keep_values: 'sent_at' });
    await ben.add(ring, device, 'producer');
    for (let part = 0; part < 60; part++) {
      await Promise.all(
        Array.from({ length: 40 }, () =>
          say(device, { a: Math.random(), b: Math.random(), c: Math.random() }, {}, ben),
        ),
      );
      small.wait(10 * minuteMs);
      await small.app.values.run();
    }
    const [usage] = await small.db.read<{ amount: number; kept: number }>({
      sql: `SELECT amount, (SELECT sum(length(content) + 200) FROM value_blocks)
          + (SELECT octet_length(open) + octet_length(last) + octet_length(audiences) + octet_length(known_keys) + 200 FROM device_values) AS kept
        FROM usage WHERE kind = 'value_bytes'`,
    });
    expect(usage!.amount).toBe(usage!.kept);
    expect(usage!.amount).toBeLessThan(2 * valueLimits.bytesOfDevice);
    const values = await read(device, '', ben);
    expect(values.is_full).toBe(true);
    expect(values.series[0]!.times[0]).toBeGreaterThan(Date.parse(values.kept_since!) + hourMs);
  });
});

describe('bounds', () => {
  const bytes = async () =>
    (await server.db.read<{ amount: number }>({ sql: `SELECT amount FROM usage WHERE kind = 'value_bytes'` }))[0]!
      .amount;

  test('the row of a device is small, whatever is sent to many swarms, and in the share of its owner', async () => {
    const swarms = await Promise.all(Array.from({ length: 8 }, () => ann.swarm()));
    const device = await sender({}, swarms);
    const long = (index: number) => `${'ß'.repeat(98)}${String(index).padStart(2, '0')}`;
    for (const [index, { id }] of swarms.entries()) {
      const numbers = Array.from({ length: 32 }, (_, key) => [`${'k'.repeat(98)}${key + 10}`, index]);
      const states = Array.from({ length: 8 }, (_, key) => [long(key), long(index)]);
      await say(device, Object.fromEntries([...numbers, ...states]), { swarm_id: id });
      server.wait(secondMs);
    }
    await say(device, { a: 1, ...Object.fromEntries([[`${'k'.repeat(98)}10`, 100]]) }, { swarm_id: swarms[0]!.id });
    await keep();
    const [row] = await server.db.read<{ last: string; bytes: number }>({
      sql: `SELECT last, octet_length(open) + octet_length(last) + octet_length(audiences) + octet_length(known_keys) + 200
        + coalesce((SELECT sum(length(content) + 200) FROM value_blocks), 0) AS bytes FROM device_values`,
    });
    expect(Buffer.byteLength(row!.last)).toBeLessThanOrEqual(valueLimits.lastBytes);
    expect(await bytes()).toBe(row!.bytes);
    const { items } = await ann.get<DevicePage>(`/devices?audience=own&values=${'k'.repeat(98)}10`);
    expect(items[0]!.values).toMatchObject({ [`${'k'.repeat(98)}10`]: { value: 100 } });
    await ann.change(`/resources/${device.id}`, { keep_values: null });
    expect(await bytes()).toBe(0);
  });

  test('what was sent to a swarm is recorded before it is deleted', async () => {
    const device = await sender();
    await say(device, { a: 1 });
    await ann.remove(`/swarms/${swarm.id}`);
    await expect.poll(() => count('messages')).toBe(0);
    expect(await valuesOf(device, 'a')).toEqual([1]);
    expect((await server.app.measure()).values?.missed).toBe(0);
  });

  test('what was deleted before it was recorded is a gap, and is counted', async () => {
    const device = await sender();
    const silent = await sender({ keep_values: undefined });
    for (const a of [1, 2, 3]) {
      await say(device, { a });
      await say(silent, { a });
      if (a === 1) await keep();
      server.wait(hourMs);
    }
    server.wait(25 * hourMs);
    // Another process has the lease, and does not read. The last message of a member stays.
    const until = server.now().getTime() + 10_000;
    await server.db.write([
      { sql: `UPDATE leases SET holder = 'other', until = $1 WHERE name = 'values'`, params: [until] },
    ]);
    await server.app.tidy();
    expect((await server.app.measure()).values?.missed).toBe(1);
    server.wait(minuteMs);
    await keep();
    expect(await valuesOf(device, 'a', ann, `?from=${ago(30 * hourMs)}`)).toEqual([1, 3]);
  });

  test('devices with many old blocks do not keep those of others from being summarised', async () => {
    const ben = await signUpClient(server, 'ben');
    const many = await Promise.all(Array.from({ length: 3 }, () => ann.device({ keep_values: 'sent_at' })));
    const first = server.now().getTime() - 400 * dayMs;
    for (const device of many)
      await server.app.values.addPast({
        id: device.id,
        points: Array.from({ length: 380 }, (_, day) => ({ at: first + day * dayMs, payload: { a: day } })),
      });
    const other = await ben.device({ keep_values: 'sent_at' });
    const at = server.now().getTime() - 3 * dayMs;
    await server.app.values.addPast({ id: other.id, points: [{ at, payload: { a: 1 } }] });
    await keep();
    const left = await server.db.read<{ step: number }>({
      sql: 'SELECT step FROM value_blocks WHERE user_id = $1',
      params: ['ben'],
    });
    expect(left).toEqual([{ step: 300 }]);
  });
});

describe('the most that a device can have', () => {
  const numbers = Array.from({ length: 32 }, (_, index) => `n${index + 10}`);
  const hours = 720;

  /** Blocks of hourly steps of so many months, for two sets of swarms, and a block that is due to be summarised. */
  async function fill(device: Resource, months: number) {
    const [row] = await server.db.read<{ ref: number }>({
      sql: 'SELECT ref FROM resources WHERE id = $1',
      params: [device.id],
    });
    const start = Math.floor(server.now().getTime() / hourMs) * hourMs - (9 * 24 + months * hours) * hourMs;
    const values_since = new Date(start).toISOString();
    await server.db.write([
      { sql: 'UPDATE resources SET values_since = $1 WHERE id = $2', params: [values_since, device.id] },
    ]);
    const common = { ref: row!.ref, user_id: 'ann', values_since, due: null, samples: 0 };
    const blockOf = (at: number, { length, step }: { length: number; step: number }) => {
      const sample = (index: number) => ({
        at: at + index * step * 1000,
        first: 1,
        last: 2,
        min: 0,
        max: 9,
        mean: 4.5,
        count: 60,
      });
      const series = {
        numbers: new Map(numbers.map((key) => [key, Array.from({ length }, (_, index) => sample(index))])),
        states: new Map([
          ['open', Array.from({ length }, (_, index): Change => [at + index * step * 1000, index % 2 === 0])],
        ]),
      };
      return { step, ...boundsOf(series), points: length * (numbers.length + 1), bytes: packBlock(series, step) };
    };
    for (let month = 0; month < months; month++) {
      const block = blockOf(start + month * hours * hourMs, { length: hours, step: 3600 });
      await server.db.write([0, 1].map((audience) => insertBlock({ ...common, ...block, audience, part: month })));
    }
    const due = blockOf(start + months * hours * hourMs, { length: 12, step: 300 });
    await server.db.write([insertBlock({ ...common, ...due, audience: 0, part: 0 })]);
    return start;
  }
  const steps = async () =>
    (
      await server.db.read<{ steps: number }>({ sql: 'SELECT sum(points) AS steps FROM value_blocks WHERE step > 0' })
    )[0]!.steps;

  test('the oldest steps beyond it are deleted, and a year is an answer of some hundred points', async () => {
    const device = await sender();
    const start = await fill(device, 11);
    expect(await steps()).toBeGreaterThan(valueLimits.steps);
    await keep();
    expect(await steps()).toBeLessThanOrEqual(valueLimits.steps);
    expect(await steps()).toBeGreaterThan(0.8 * valueLimits.steps);
    const { step, series } = await read(device, `?from=${ago(365 * dayMs)}`);
    expect(series.map(({ key }) => key)).toEqual([...numbers, 'open']);
    for (const { times } of series) {
      expect(times.length).toBeLessThanOrEqual(valueLimits.pointsOfSeries);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThan(start + hours * hourMs);
      expect(times.at(-1)).toBeGreaterThan(server.now().getTime() - 10 * dayMs);
    }
    const [first, ...others] = series.filter((each) => each.kind === 'number');
    for (const each of others) expect({ ...each, key: first!.key }).toEqual(first);
    expect(first).toMatchObject({
      times: first!.times.map((_, index) => first!.times[0]! + index * step * 1000),
      min: first!.times.map(() => 0),
      max: first!.times.map(() => 9),
    });
    // The block that was due is an hour of each number, and twelve changes.
    const ofMonths = (await steps()) - numbers.length - 12;
    const counted = 60 * (ofMonths / (numbers.length + 1) + 12);
    expect(first!.count!.reduce((sum, each) => sum + each)).toBe(counted);
  });

  test('a file has each step once, in the order of their times, whatever its parts are', async () => {
    const device = await sender();
    const start = await fill(device, 2);
    const [from, to] = [start, start + 8 * dayMs - 1].map((at) => new Date(at).toISOString());
    const text = await (
      await ann.request({ path: `/resources/${device.id}/values?from=${from}&to=${to}&format=csv` })
    ).text();
    const lines = text.trimEnd().split('\r\n').slice(1);
    // Those of two sets of swarms.
    expect(lines).toHaveLength(2 * 8 * 24 * (numbers.length + 1));
    const places = lines.map((line) => line.split(',').slice(0, 2).join(' '));
    expect(places).toEqual(places.toSorted());
    expect(new Set(places).size).toBe(places.length / 2);
  });

  test('a point at the beginning of a part is in it, and a step that goes over the end of one is whole', async () => {
    const device = await sender();
    const [row] = await server.db.read<{ ref: number }>({
      sql: 'SELECT ref FROM resources WHERE id = $1',
      params: [device.id],
    });
    const start = Math.floor(server.now().getTime() / hourMs - 24) * hourMs;
    const values_since = new Date(start).toISOString();
    const common = { ref: row!.ref, user_id: 'ann', values_since, step: 0, audience: 0, due: null, samples: 0 };
    // Blocks of an hour begin between the hours, and one of their points is on the hour.
    const count = 100;
    const blocks = Array.from({ length: 23 }, (_, hour) => {
      const series = pointSeries(
        Array.from({ length: count }, (_each, index) => ({
          at: start + (hour + (index + 20) / count) * hourMs,
          values: numbers.map((key): [string, number] => [key, index]),
        })),
      );
      return insertBlock({
        ...common,
        part: -hour,
        ...boundsOf(series),
        points: count,
        bytes: packBlock(series, 0),
      });
    });
    await server.db.write([
      { sql: 'UPDATE resources SET values_since = $1 WHERE id = $2', params: [values_since, device.id] },
      ...blocks,
    ]);
    const { series } = await read(device, `?from=${ago(365 * dayMs)}`);
    expect(series.map(({ key }) => key)).toEqual(numbers);
    for (const { count: counts, min, max, times } of series.filter((each) => each.kind === 'number')) {
      expect(counts!.reduce((sum, each) => sum + each)).toBe(23 * count);
      expect([Math.min(...min!), Math.max(...max!)]).toEqual([0, count - 1]);
      expect(new Set(times).size).toBe(times.length);
    }
    const file = await ann.request({ path: `/resources/${device.id}/values?format=csv&from=${ago(2 * dayMs)}` });
    const lines = (await file.text()).trimEnd().split('\r\n').slice(1);
    expect(lines).toHaveLength(23 * count * numbers.length);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('a file until a time in the far future costs few more reads than one until now', async () => {
    const device = await sender();
    await say(device, { n: 1 });
    const reads = vi.spyOn(server.db, 'read');
    const readsOf = async (query: string) => {
      reads.mockClear();
      const file = await ann.request({ path: `/resources/${device.id}/values?format=csv&from=${ago(hourMs)}${query}` });
      expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(2);
      return reads.mock.calls.length;
    };
    const untilNow = await readsOf('');
    expect(await readsOf('&to=9999-01-01T00:00:00Z')).toBeLessThan(2 * untilNow);
  });

  test('a file that ends in the future has what was sent by a clock that is ahead', async () => {
    const device = await sender();
    await say(device, { n: 1 });
    const path = `/resources/${device.id}/values?format=csv&from=${ago(hourMs)}&to=${ago(-hourMs)}`;
    server.wait(-minuteMs);
    const file = await ann.request({ path });
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('of long messages that are not recorded, the newest ones', async () => {
    const device = await sender({ keep_values: undefined });
    const payload = { text: 'x'.repeat(16_000), n: 0 };
    const count = Math.ceil((1.1 * valueLimits.messageBytes) / 16_000);
    for (let n = 0; n < count; n++) await say(device, { ...payload, n });
    const found = (await valuesOf(device, 'n')) as number[];
    expect(found.at(-1)).toBe(count - 1);
    expect(found.length).toBeLessThan(count);
    expect(found.length).toBeGreaterThan(0.8 * count);
  });
});

describe('who reads', () => {
  test('others what was sent to swarms whose messages they may read, since they may', async () => {
    const [ben, cleo, dan, eve] = (await Promise.all(
      ['ben', 'cleo', 'dan', 'eve'].map((name) => signUpClient(server, name)),
    )) as [ServiceClient, ServiceClient, ServiceClient, ServiceClient];
    const theirs = await ben.swarm();
    const device = await sender({}, [swarm]);
    // All are sent within one step.
    server.wait(hourMs - (server.now().getTime() % hourMs));
    let sent = 0;
    const step = async (more: object = {}) => {
      server.wait(secondMs);
      sent += 1;
      await say(device, { a: sent }, more);
      server.wait(secondMs);
    };
    await step();
    await ann.accept(await ben.invite(theirs, device, 'producer'));
    await step();
    await step({ swarm_id: swarm.id });
    const [ofCleo, ofEve] = [await cleo.device(), await eve.device()];
    await cleo.accept(await ben.invite(theirs, ofCleo, 'consumer'));
    // She sees the device, and may not read its messages.
    await eve.accept(await ben.invite(theirs, ofEve, 'producer'));
    await step();
    await ben.nameManager(theirs, 'dan', 'watcher');
    await dan.agree(theirs, 'dan');
    await step();
    for (const isKept of [false, true]) {
      if (isKept) {
        await keep();
        await server.db.write([{ sql: 'DELETE FROM messages' }]);
      }
      expect(await valuesOf(device, 'a')).toEqual([1, 2, 3, 4, 5]);
      expect(await valuesOf(device, 'a', ben)).toEqual([2, 4, 5]);
      expect(await valuesOf(device, 'a', cleo)).toEqual([4, 5]);
      expect(await valuesOf(device, 'a', dan)).toEqual([5]);
      expect(await valuesOf(device, 'a', eve)).toEqual([]);
      for (const [user, last] of [
        [ann, [5]],
        [ben, [5]],
        [cleo, [5]],
        [eve, []],
      ] as const)
        expect(await valuesOf(device, 'a', user, '?last=yes')).toEqual(last);
      const ofSwarm = async (user: ServiceClient, id = theirs.id) => {
        const { items } = await user.get<SwarmValues>(`/swarms/${id}/values?resource_ids=${device.id}&keys=a`);
        return items[0]!.series[0]?.values ?? [];
      };
      const sinceOf = async (user: ServiceClient) => {
        const path = `/swarms/${theirs.id}/values?resource_ids=${device.id},${randomUUID()}&keys=a`;
        return (await user.get<SwarmValues>(path)).items.map(({ since }) => since);
      };
      const agreed = (await ben.get<Audience>(`/swarms/${theirs.id}/audience`)).items[0]!.named;
      expect(await sinceOf(dan)).toEqual([agreed.find(({ user_id }) => user_id === 'dan')!.since, undefined]);
      expect(await ofSwarm(ann, swarm.id)).toEqual([1, 2, 3, 4, 5]);
      expect(await ofSwarm(ben)).toEqual([2, 4, 5]);
      expect(await ofSwarm(cleo)).toEqual([4, 5]);
      expect(await ofSwarm(dan)).toEqual([5]);
    }
    expect((await eve.request({ path: `/swarms/${theirs.id}/values?resource_ids=${device.id}&keys=a` })).status).toBe(
      403,
    );
    // Steps that have begun before they could read are not theirs.
    server.wait(31 * hourMs);
    await keep();
    const all = `?from=${ago(2 * dayMs)}`;
    expect(await valuesOf(device, 'a', ann, all)).toHaveLength(1);
    expect(await valuesOf(device, 'a', cleo, all)).toEqual([]);
    // When the device has left, its values are its owner's.
    await ann.remove(`/swarms/${theirs.id}/resources/${device.id}`);
    expect((await ben.request({ path: `/resources/${device.id}/values` })).status).toBe(404);
    expect(await ben.get<SwarmValues>(`/swarms/${theirs.id}/values?resource_ids=${device.id}&keys=a`)).toMatchObject({
      items: [{ series: [] }],
    });
  });

  test('of more sets of swarms than are told apart, only the owner reads, until one was not sent to for a day', async () => {
    const ben = await signUpClient(server, 'ben');
    const device = await sender({}, []);
    let sent = 0;
    const sendToNew = async () => {
      const each = await ben.swarm();
      await ann.accept(await ben.invite(each, device, 'producer'));
      server.wait(secondMs);
      await say(device, { a: sent++ }, { swarm_id: each.id });
      return each;
    };
    const first = await sendToNew();
    while (sent <= valueLimits.audiences) await sendToNew();
    const seen = async (user: ServiceClient) => valuesOf(device, 'a', user, `?from=${ago(2 * dayMs)}`);
    await keep();
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    expect(await seen(ann)).toHaveLength(sent);
    expect(await seen(ben)).toHaveLength(valueLimits.audiences);
    server.wait(23 * hourMs);
    await say(device, { a: 'more' }, { swarm_id: first.id });
    server.wait(2 * hourMs);
    await sendToNew();
    await keep();
    await server.db.write([{ sql: 'DELETE FROM messages' }]);
    // The owner has all; the second swarm gave its place.
    expect(await seen(ann)).toEqual([...Array(sent).keys()]);
    expect(await seen(ben)).toEqual([...Array(sent).keys()].filter((index) => index !== 1 && index !== sent - 2));
    const { items } = await ann.get<DevicePage>('/devices?audience=own&values=a');
    expect(items[0]!.values).toMatchObject({ a: { value: sent - 1 } });
  });

  test('series of several members have one step, and a file has their names', async () => {
    const [slow, fast] = [await sender({ name: '=Slow' }), await sender({ name: 'Fast' })];
    for (let part = 0; part < 3; part++) {
      await Promise.all(Array.from({ length: 400 }, () => say(fast, { n: 1 })));
      await say(slow, { n: -2, mode: '=1+1' });
      server.wait(minuteMs);
    }
    await keep();
    const path = `/swarms/${swarm.id}/values?resource_ids=${slow.id},${fast.id}&keys=n,mode`;
    const { step, items } = await ann.get<SwarmValues>(path);
    expect(step).toBe(1);
    expect(items.map(({ resource_id, series }) => [resource_id, series.map(({ key }) => key)])).toEqual([
      [slow.id, ['mode', 'n']],
      [fast.id, ['n']],
    ]);
    expect(items[1]!.series[0]).toMatchObject({ count: [400, 400, 400] });
    expect(items[0]!.series[1]).toMatchObject({ values: [-2, -2, -2], count: [1, 1, 1] });
    const lines = (await (await ann.request({ path: `${path}&format=csv` })).text()).split('\r\n');
    expect(lines).toHaveLength(1 + 6 + 1200 + 1);
    expect(lines[0]).toBe('at,resource_id,name,key,value,first,last,min,max,count');
    expect(lines.filter((line) => line.includes(slow.id)).map((line) => line.split(',').slice(2, 5))).toEqual(
      Array(3)
        .fill([
          ["'=Slow", 'mode', "'=1+1"],
          ["'=Slow", 'n', '-2'],
        ])
        .flat(),
    );
    // One that leaves while the file is read ends its own lines, and no others.
    const { read } = server.db;
    const reading = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      const rows = await read(query);
      if (query.shape?.name === 'valueLines') {
        reading.mockRestore();
        await ann.remove(`/swarms/${swarm.id}/resources/${slow.id}`);
      }
      return rows;
    });
    const rest = (await (await ann.request({ path: `${path}&format=csv` })).text()).split('\r\n');
    expect(rest.filter((line) => line.includes(fast.id))).toHaveLength(1200);
  });
});
