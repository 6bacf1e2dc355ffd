/**
 * Every way in which a page of another site can make a browser send a request, to every group of endpoints, over real
 * HTTP. The headers are those that browsers send (https://www.w3.org/TR/fetch-metadata/).
 */
import { request, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browse, startHttpServer, type Browser, type HttpTestServer } from './http-server.fixture.ts';
import { createTestServer } from './test-server.fixture.ts';

let server: HttpTestServer;
let ann: Browser;
let phone: { id: string; key: string };
beforeAll(async () => {
  server = await startHttpServer();
  ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password' });
  const made = await ann.send('POST', '/api/resources', { name: 'Phone', machine_type: 'smartphone' });
  const { id } = (await made.json()) as { id: string };
  const answer = await ann.send('POST', `/api/devices/${id}/keys`, { name: 'OwnTracks' });
  phone = { id, key: ((await answer.json()) as { key: string }).key };
});
afterAll(() => server[Symbol.asyncDispose]());

const evil = { origin: 'https://evil.example' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const fetched = (mode: string, dest: string) => ({ 'sec-fetch-mode': mode, 'sec-fetch-dest': dest });

const unasked = { ...evil, ...json, ...fetched('cors', 'empty') };

interface Way {
  method: string;
  /** Beside `Sec-Fetch-Site`. */
  headers: Record<string, string>;
}
const ways: Record<string, Way> = {
  'a link': { method: 'GET', headers: fetched('navigate', 'document') },
  'a form that reads': { method: 'GET', headers: fetched('navigate', 'document') },
  'a form': { method: 'POST', headers: { ...evil, ...form, ...fetched('navigate', 'document') } },
  'a form with text, which may be JSON': {
    method: 'POST',
    headers: { ...evil, ...text, ...fetched('navigate', 'document') },
  },
  'a form with a file': {
    method: 'POST',
    headers: { ...evil, 'content-type': 'multipart/form-data; boundary=x', ...fetched('navigate', 'document') },
  },
  'a form in a sandbox': { method: 'POST', headers: { origin: 'null', ...form, ...fetched('navigate', 'iframe') } },
  'a frame': { method: 'GET', headers: fetched('navigate', 'iframe') },
  'an image': { method: 'GET', headers: fetched('no-cors', 'image') },
  'a script': { method: 'GET', headers: fetched('no-cors', 'script') },
  'a style': { method: 'GET', headers: fetched('no-cors', 'style') },
  'a video': { method: 'GET', headers: { range: 'bytes=0-', ...fetched('no-cors', 'video') } },
  'a module': { method: 'GET', headers: { ...evil, ...fetched('cors', 'script') } },
  'a prefetch': { method: 'GET', headers: { 'sec-purpose': 'prefetch', ...fetched('no-cors', 'empty') } },
  'an event stream': { method: 'GET', headers: { ...evil, accept: 'text/event-stream', ...fetched('cors', 'empty') } },
  'a WebSocket': {
    method: 'GET',
    headers: {
      ...evil,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...fetched('websocket', 'empty'),
    },
  },
  'a fetch': { method: 'GET', headers: { ...evil, ...fetched('cors', 'empty') } },
  'a fetch that cannot read': { method: 'GET', headers: fetched('no-cors', 'empty') },
  'a fetch of only the headers': { method: 'HEAD', headers: { ...evil, ...fetched('cors', 'empty') } },
  'a fetch that writes': { method: 'POST', headers: { ...evil, ...text, ...fetched('no-cors', 'empty') } },
  'a question before JSON': {
    method: 'OPTIONS',
    headers: {
      ...evil,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-serviceapikey,x-share-code',
      ...fetched('cors', 'empty'),
    },
  },
  // No browser sends these two after an answer that does not allow it.
  'JSON all the same': { method: 'POST', headers: unasked },
  'a deletion all the same': { method: 'DELETE', headers: { ...evil, ...fetched('cors', 'empty') } },
};

/** What the browser says of the page. `older`: it says nothing. */
const pages = ['cross-site', 'same-site', 'older'] as const;
type From = (typeof pages)[number];

const refused = '403 origin.refused';
/** The cookie alone counts for nothing. */
const needsKey = '401 key.invalid';
const noSuchMethod = '405 route.method_not_allowed';

/** What each kind of request gets, with the cookie of a session. */
interface Row {
  path: string;
  reads: string;
  /** From an older browser, if that differs: it shows the response to no page. */
  olderReads?: string;
  writes: string;
  question: string;
  olderQuestion?: string;
}
const withSession = (path: string, olderReads = '200'): Row => ({
  path,
  reads: refused,
  olderReads,
  writes: refused,
  question: refused,
  olderQuestion: olderReads === '200' ? noSuchMethod : olderReads,
});
const ofSignIn = (path: string, reads = noSuchMethod): Row => ({
  path,
  reads,
  writes: refused,
  question: noSuchMethod,
});
const withKey = (path: string): Row => ({ path, reads: needsKey, writes: needsKey, question: needsKey });
/** The same for everybody. */
const forAll = (path: string, reads = '200'): Row => ({ path, reads, writes: noSuchMethod, question: noSuchMethod });

const table: Record<string, Row> = {
  'records with a session': withSession('/api/resources'),
  'a stream with a session': withSession('/api/events'),
  'a file with a session': withSession('/api/export'),
  'the account': withSession('/api/account'),
  'the screens': withSession('/api/devices'),
  'the street map': withSession('/api/tiles/0/0/0', '404 route.not_found'),
  'what sign-in offers': ofSignIn('/auth/options', '200'),
  'sign-in': ofSignIn('/auth/sign-in/username'),
  'sign-up': ofSignIn('/auth/sign-up'),
  'sign-out': ofSignIn('/auth/sign-out'),
  'a change of the password': ofSignIn('/auth/change-password'),
  recovery: ofSignIn('/auth/recover'),
  'recovery by mail': ofSignIn('/auth/mail-link'),
  'a mail address': ofSignIn('/auth/address'),
  'records with a key': withKey('/service/resources'),
  'a stream with a key': withKey('/service/events'),
  'reports of phones': withKey('/service/owntracks'),
  'a shared device': forAll('/guest/events', '404 share_link.not_found'),
  'the reference': forAll('/docs'),
  health: forAll('/healthz'),
};

function expected(row: Row, way: Way, from: From): string {
  const isQuestion = way.method === 'OPTIONS';
  const isRead = way.method === 'GET' || way.method === 'HEAD';
  if (from === 'older') {
    if (isQuestion) return row.olderQuestion ?? row.question;
    if (isRead) return row.olderReads ?? row.reads;
  }
  return isQuestion ? row.question : isRead ? row.reads : row.writes;
}

const planted = { username: 'mallory', password: 'a good password', name: 'planted', machine_type: 'pc' };

/** Reads the code of a problem, and no stream. */
function send(sent: { path: string; method: string; headers: Record<string, string>; body?: string }) {
  const { path, method, headers, body = JSON.stringify(planted) } = sent;
  return new Promise<{ result: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { method, headers, agent: false });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      const answer = () => {
        const code = /"code":"([^"]+)"/.exec(text)?.[1];
        resolve({ result: [response.statusCode, code].filter(Boolean).join(' '), headers: response.headers });
        response.destroy();
      };
      if (response.statusCode === 200) return answer();
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      return response.on('end', answer);
    });
    asked.end(method === 'POST' ? body : undefined);
  });
}

const headersOf = ({ headers }: Way, from: From): Record<string, string> =>
  from === 'older'
    ? Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-')))
    : { ...headers, 'sec-fetch-site': from };

describe.each(Object.entries(table))('%s', (_group, row) => {
  test.each(pages)('from a page that is %s', async (from) => {
    const answers = await Promise.all(
      Object.entries(ways).map(async ([name, way]) => {
        const headers = { ...headersOf(way, from), cookie: ann.cookie };
        return { name, way, answer: await send({ path: row.path, method: way.method, headers }) };
      }),
    );
    // `HEAD` has no body, and so no code.
    const shown = (way: Way, result: string) => (way.method === 'HEAD' ? result.slice(0, 3) : result);
    expect(answers.map(({ name, answer }) => [name, answer.result])).toEqual(
      answers.map(({ name, way }) => [name, shown(way, expected(row, way, from))]),
    );
    for (const { name, answer } of answers) {
      // No page can read it, show it in a frame, or take it for a script or an image.
      expect(answer.headers, name).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control-'))).toEqual([]);
    }
  });
});

test('every endpoint with a session refuses other pages, and so does every write of sign-in', async () => {
  await using other = await createTestServer();
  const user = await other.signUp('ben');
  const { endpoints, signInEndpoints } = other.app;
  const withCookie = endpoints.filter(({ path }) => path.startsWith('/api/'));
  expect(withCookie.length).toBeGreaterThan(30);
  // A sign-in by another site begins and ends with a read.
  const writes = signInEndpoints.filter(({ method }) => method !== 'GET');
  for (const { method, path } of [...withCookie, ...writes]) {
    const verb = method === 'ALL' ? 'PUT' : method;
    const concrete = path.replaceAll(/:\w+/g, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10').replace('*', 'x');
    const headers = { cookie: user.cookie, 'sec-fetch-site': 'cross-site', ...json };
    const answer = await other.fetch(concrete, { method: verb, headers });
    expect([verb, path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      verb,
      path,
      403,
      'origin.refused',
    ]);
  }
});

test('nothing has happened by all of it, and the session goes on', async () => {
  const devices = await ann.send('GET', '/api/resources');
  expect(await devices.json()).toMatchObject([{ name: 'Phone' }]);
  expect(await server.db.read({ sql: 'SELECT username FROM "user"' })).toEqual([{ username: 'ann' }]);
});

test('an address that a user types reads, and writes nothing', async () => {
  const typed = (method: string) =>
    send({ path: '/api/resources', method, headers: { cookie: ann.cookie, 'sec-fetch-site': 'none', ...json } });
  expect([(await typed('GET')).result, (await typed('POST')).result]).toEqual(['200', refused]);
});

test('a form does not report a position with the password of a phone that a browser remembers', async () => {
  const authorization = `Basic ${Buffer.from(`${phone.id}:${phone.key}`).toString('base64')}`;
  const body = JSON.stringify({ _type: 'location', lat: 1, lon: 2 });
  const forms = Object.entries(ways).filter(([, { method, headers }]) => method === 'POST' && headers !== unasked);
  for (const [name, way] of forms)
    for (const from of pages) {
      const headers = { ...headersOf(way, from), authorization };
      const { result } = await send({ path: '/service/owntracks', method: 'POST', headers, body });
      expect([name, from, result]).toEqual([name, from, '415 body.not_json']);
    }
});
