/**
 * The gateway key of a browser is in no response, header, log line, file or bundle. The test decrypts the real key,
 * requests every endpoint, and searches all output for it. The search must also find a planted key.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLeaks, type Evidence } from './key-leak.fixture.ts';
import { createSeal } from '../store/seal.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from '../../tests/http-server.fixture.ts';

const password = 'a good password';
let server: HttpTestServer;
let ann: Browser;
const answers: Evidence[] = [];
const keys: string[] = [];

beforeAll(async () => {
  server = await startHttpServer();
  ann = browse(server.url);
  await request('POST', '/auth/sign-up', { username: 'ann', password, name: 'ann' });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Sends a request, and records the response with all headers as evidence. */
async function request(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await ann.send(method, path, body, headers);
  const bytes = await bytesOf(answer);
  const place = `${method} ${path}`;
  answers.push({ place: `headers of ${place}`, bytes: headOf(answer) }, { place: `body of ${place}`, bytes });
  return { answer, text: Buffer.from(bytes).toString() };
}

/** The whole body; of an event stream, which does not end, the first chunk. */
async function bytesOf(answer: Response): Promise<Uint8Array> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.bytes();
  const reader = answer.body!.getReader();
  const { value = new Uint8Array() } = await reader.read();
  await reader.cancel();
  return value;
}

function headOf({ headers }: Response): Uint8Array {
  return Buffer.from([...headers].map(([name, value]) => `${name}: ${value}`).join('\n'));
}

async function unsealed(): Promise<string> {
  const { sealed } = (
    await server.db.read<{ sealed: Uint8Array }>({ sql: "SELECT sealed FROM held_keys WHERE user_id = 'ann'" })
  )[0]!;
  return createSeal([server.secret]).unseal({ sealed, owner: 'ann' })!;
}

async function everyEvidence(): Promise<Evidence[]> {
  return [
    ...answers,
    ...server.logged.map((line, at) => ({ place: `log line ${at + 1}`, bytes: Buffer.from(line) })),
    ...(await server.storedFiles()).map(({ name, bytes }) => ({
      place: `stored in ${name}`,
      bytes,
      storesDigest: true,
    })),
    ...(await server.siteFiles()).map(({ name, bytes }) => ({ place: `bundle ${name}`, bytes })),
  ];
}

const leaks = async () => {
  const evidence = await everyEvidence();
  return keys.flatMap((key) => findLeaks({ key, evidence }));
};

/** Every path and method of the OpenAPI document, under /api and /service. */
async function everyOperation(id: string): Promise<{ method: string; path: string }[]> {
  const document = JSON.parse((await request('GET', '/service/openapi.json')).text) as {
    paths: Record<string, object>;
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, id) })),
  );
}

describe('the gateway key', () => {
  it('is in no response, log or file', async () => {
    const lamp = { name: 'Lamp', machine_type: 'pc', position: { longitude: 1, latitude: 2 } };
    const created = await request('POST', '/api/resources', lamp);
    expect(created.answer.status).toBe(201);
    const { id } = JSON.parse(created.text) as { id: string };
    keys.push(await unsealed());

    const operations = await everyOperation(id);
    expect(operations.length).toBeGreaterThanOrEqual(6);
    // The request that deletes comes last.
    for (const { method, path } of operations.toSorted((a, b) =>
      a.method === 'DELETE' ? 1 : b.method === 'DELETE' ? -1 : 0,
    )) {
      const bodies = method === 'POST' || method === 'PUT' ? [lamp, '{', { name: 1 }, []] : [undefined];
      for (const body of bodies) {
        await request(method, `/service${path}`, body);
        await request(method, `/service${path}`, body, { 'x-serviceapikey': 'swb_mistyped' });
        await request(method, `/api${path}`, body);
        await request(method, `/api${path}`, body, { 'x-serviceapikey': 'swb_mistyped', 'if-match': '"0"' });
        await request(method, `/api${path}`, body, { 'sec-fetch-site': 'cross-site' });
      }
      await request('PATCH', `/api${path}`);
    }
    for (const path of ['/devices', '/map?bbox=-180,-85,180,85&zoom=2', '/map?zoom=x', '/nothing', '']) {
      await request('GET', `/api${path}`);
    }
    const device = await request('POST', '/api/account/keys', { name: 'script' });
    expect(device.answer.status).toBe(201);
    for (const path of ['', '/keys', '/sessions', '/nothing']) await request('GET', `/api/account${path}`);
    await request('DELETE', `/api/account/keys/${(JSON.parse(device.text) as { id: string }).id}`);
    await request('DELETE', '/api/account/sessions');
    await request('DELETE', '/api/account', { user_id: 'bob' });
    for (const path of ['/', '/docs', '/healthz', '/readyz', '/devices/x', '/account']) await request('GET', path);

    const change = { currentPassword: password, newPassword: 'a better password', revokeOtherSessions: true };
    expect((await request('POST', '/auth/change-password', change)).answer.status).toBe(204);
    await request('GET', '/api/resources');
    keys.push(await unsealed());

    // Both keys are valid for the service.
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) {
      const direct = await fetch(`${server.url}/service/resources`, { headers: { 'x-serviceapikey': key } });
      expect(direct.status).toBe(200);
    }
    expect(answers.length).toBeGreaterThan(150);
    expect(server.logged.length).toBeGreaterThan(75);
    expect(await leaks()).toEqual([]);
  });

  it('is not listed among the keys of the account', async () => {
    const { text } = await request('GET', '/api/account/keys');
    expect(JSON.parse(text)).toEqual({ items: [], device_keys: { items: [], total: 0 } });
    const { id } = (
      await server.db.read<{ id: string }>({ sql: "SELECT key_id AS id FROM held_keys WHERE user_id = 'ann'" })
    )[0]!;
    expect((await request('DELETE', `/api/account/keys/${id}`)).answer.status).toBe(404);
  });
});

describe('the search for the gateway key', () => {
  const placesOf = async () => [...new Set((await leaks()).map(({ place }) => place.split(' ')[0]))];

  it('finds it in a response', async () => {
    const { text } = await request('POST', '/api/resources', {
      name: 'Lamp',
      machine_type: 'pc',
      description: `see ${keys[0]}`,
    });
    const { id } = JSON.parse(text) as { id: string };
    expect(await placesOf()).toContain('body');
    expect((await request('DELETE', `/api/resources/${id}`)).answer.status).toBe(204);
  });

  it('finds it in a header', async () => {
    const answer = new Response(null, { headers: { 'x-debug': keys[1]! } });
    answers.push({ place: 'headers of a planted answer', bytes: headOf(answer) });
    expect(await placesOf()).toContain('headers');
  });

  it('finds it in the log', async () => {
    // codes in URLs are masked, so no request puts it there
    server.logged.push(JSON.stringify({ level: 'debug', text: `read ${keys[0]}` }));
    expect(await placesOf()).toContain('log');
  });

  it('finds it in the storage', async () => {
    await server.db.write([
      {
        sql: "INSERT INTO verification VALUES ('1', 'held', $1, '2026', '2026', '2026')",
        params: [Buffer.from(keys[1]!).toString('base64')],
      },
    ]);
    expect(await placesOf()).toContain('stored');
  });

  it('includes the files of the web app', async () => {
    const bundle = (await everyEvidence()).filter(({ place }) => place.startsWith('bundle '));
    expect(bundle.length).toBeGreaterThan(3);
    const planted = bundle.map((file, at) =>
      at === 1 ? { ...file, bytes: Buffer.from(`const k="${keys[0]}"`) } : file,
    );
    expect(findLeaks({ key: keys[0]!, evidence: planted })).not.toEqual([]);
  });
});
