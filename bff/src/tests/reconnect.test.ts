// stores: SQLite, PostgreSQL
/** Devices that connect at once after a restart, while a stranger sends wrong keys from their address. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../app.ts';
import { connectAll, makeDevicesWithKeys, type KnownDevice } from './reconnect.fixture.ts';
import { createTestServer, origin, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
let devices: KnownDevice[];
beforeAll(async () => {
  server = await createTestServer({ rateLimit: 1 });
  devices = await makeDevicesWithKeys(server, await server.signUp('ann'));
});
afterAll(() => server[Symbol.asyncDispose]());

async function statusByHttp(app: App, { id, key }: KnownDevice): Promise<number> {
  const request = new Request(`${origin}/service/resources/${id}`, { headers: { 'x-serviceapikey': key } });
  return (await app.fetch(request)).status;
}

test('all with right keys get in, and the stranger does not', async () => {
  await using app = await server.restart();
  const { right, wrong } = await connectAll(devices, (device) => statusByHttp(app, device));
  expect(right).toEqual(new Set([200]));
  expect(wrong).toEqual(new Set([401, 429]));
});

test('a key that was right is read again after its user was enabled, also with a wrong device in between', async () => {
  await using app = await server.restart();
  const [one, other] = [devices[0]!, devices[1]!];
  const report = (device: string) => {
    const authorization = `Basic ${Buffer.from(`${device}:${one.key}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ _type: 'location', lat: 54, lon: 8, tst: Math.floor(server.now().getTime() / 1000) });
    return app.fetch(new Request(`${origin}/service/owntracks`, { method: 'POST', headers, body }));
  };
  expect((await report(other.id)).status).toBe(401);
  await app.operator.disableUser({ name: 'ann' });
  expect(await statusByHttp(app, one)).toBe(401);
  expect(await statusByHttp(app, one)).toBe(401);
  await app.operator.enableUser({ name: 'ann' });
  expect(await statusByHttp(app, one)).toBe(200);
  expect((await report(one.id)).status).toBe(200);
});
