/** Three processes on one database: what has ended on one has ended on all, and what works once works once, whichever of them is asked. */
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../.tools/free-port.ts';
import { startPostgres, type PostgresServer } from '../../../.tools/postgres.ts';
import type {
  CreatedApiKey,
  GuestEvent,
  MessageSent,
  NewRecoveryCodes,
  NewShareLink,
  Resource,
  Swarm,
  Values,
} from '../contract.ts';
import { hourMs } from '../core/limits/durations.ts';
import { createAuthenticator, type AskedToCreate, type AskedToUse } from './authenticator.fixture.ts';
import { browserOf, type Browser } from '../core/accounts/browser.fixture.ts';
import { startRealProvider, visitAs, type RealProvider } from './real-provider.fixture.ts';
import { join, listen, type Listener, type TestUser } from './events.fixture.ts';
import { codeOf, lookAt } from './guests.fixture.ts';
import { openMailServer, type MailServer } from './mail-server.fixture.ts';
import { deviceClient, type DeviceClient, type Receiver } from './messages.fixture.ts';
import { long, password, patience, recordFigure, startServer, temporaryDataDir } from './process.fixture.ts';
import { opening, outcomeOf } from './service-client.fixture.ts';
import type { JoinLink, JoinOffer } from './records.fixture.ts';

const secret = 'a secret that all processes share, of 32 and more characters';
const publicUrl = 'https://devices.example.org';
const devicesOfRound = long ? 40 : 6;
const rounds = long ? 250 : 2;

let postgres: PostgresServer;
let mailServer: MailServer;
let provider: RealProvider;
let origins: string[];
/** Ends a process as a crash would. Returns a function that starts another one in its place. */
let kill: (n: number) => Promise<() => Promise<void>>;
const cleanup = new AsyncDisposableStack();
beforeAll(async () => {
  postgres = await startPostgres();
  cleanup.defer(() => postgres.stop());
  mailServer = cleanup.use(await openMailServer());
  provider = cleanup.use(await startRealProvider('home'));
  const settings = {
    SECRET: secret,
    PUBLIC_URL: publicUrl,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls=off`,
    MAIL_FROM: 'swarmdeck@example.org',
    OIDC_HOME_ISSUER: provider.issuer,
    OIDC_HOME_CLIENT_ID: provider.clientId,
    OIDC_HOME_CLIENT_SECRET: provider.clientSecret,
  };
  const start = async (n: number) => {
    const PORT = String(await freePort());
    const env = { ...settings, DATABASE_URL: `${postgres.url}?application_name=${nameOf(n)}`, PORT };
    const server = cleanup.use(await startServer({ ...cleanup.use(temporaryDataDir()), env }));
    return { server, origin: `http://127.0.0.1:${PORT}` };
  };
  const processes = await Promise.all([0, 1, 2].map(start));
  origins = processes.map(({ origin }) => origin);
  kill = async (n) => {
    const [{ server }] = processes.splice(n, 1) as [(typeof processes)[number]];
    origins.splice(n, 1);
    await server.end('SIGKILL');
    return async () => {
      const started = await start(n);
      processes.splice(n, 0, started);
      origins.splice(n, 0, started.origin);
    };
  };
}, patience);
afterAll(() => cleanup.disposeAsync());

/** What PostgreSQL calls its connections. */
const nameOf = (n: number) => `process-${n}`;
const originOf = (n: number) => origins[n % origins.length]!;

/** A device with a key, which is sent to this process. */
async function deviceOf(user: TestUser, origin: string): Promise<DeviceClient> {
  const { id } = await user.request<Resource>('POST', '/resources', { name: 'Sensor', machine_type: 'bug' });
  const made = await user.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
  return deviceClient(origin, { key: ((await made.json()) as CreatedApiKey).key, device: id });
}

/** Sends and moves by all processes until it may not any more. Returns what was accepted. `mayFail`: a process is killed meanwhile. */
async function sendUntilEnd(
  { key, device }: DeviceClient,
  swarm: string,
  { mayFail = false } = {},
): Promise<MessageSent[]> {
  const accepted: MessageSent[] = [];
  for (let n = 0; ; n += 1) {
    const { post } = deviceClient(originOf(n), { key, device });
    const position = { longitude: 8, latitude: (n % 1000) / 100 };
    const answers = await Promise.all([
      post({ payload: `of ${device}`, swarm_id: swarm }),
      fetch(`${originOf(n + 1)}/service/resources/${device}`, {
        method: 'PUT',
        headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
        body: JSON.stringify({ position }),
      }),
    ]).catch((error: unknown) => {
      if (!mayFail) throw error;
    });
    if (!answers) continue;
    const [sent] = answers;
    if (sent.status !== 201) return accepted;
    accepted.push((await sent.json()) as MessageSent);
  }
}

/** Calls `act` with an end in so many ms, which are doubled while a busy machine gets there only after the end. Returns the end. */
async function withEnd(ms: number, act: (end: string) => Promise<unknown>): Promise<string> {
  const end = new Date(Date.now() + ms).toISOString();
  try {
    await act(end);
    return end;
  } catch (error) {
    if (Date.parse(end) > Date.now()) throw error;
    return withEnd(2 * ms, act);
  }
}

interface Ended {
  swarm: string;
  device: DeviceClient;
  receiver: Receiver;
  endsAt: string;
}

/** The watched devices move a last time, so that all streams have what was sent before. */
async function lastMove(ola: TestUser, device: string, listeners: readonly Listener[], round: number) {
  await ola.request('PUT', `/resources/${device}`, { description: `round ${round}` });
  const isLast = ({ type, data }: Listener['events'][number]) =>
    type === 'resource.updated' && data.id === device && data.description === `round ${round}`;
  await Promise.all(listeners.map((listener) => listener.until(isLast)));
}

test(
  `${rounds * devicesOfRound} memberships end under load: nothing of the end or later is sent, delivered or shown`,
  async () => {
    const [ann, ola] = [await join(originOf(0), 'ann'), await join(originOf(1), 'ola')];
    const steady = await deviceOf(ola, originOf(0));
    const witnesses = await Promise.all(origins.map((origin) => deviceOf(ola, origin)));
    const devices = await Promise.all(Array.from({ length: devicesOfRound }, (_, n) => deviceOf(ann, originOf(n))));
    const receivers = await Promise.all([...devices, ...witnesses].map((device) => device.receive()));
    const seenBy = receivers.slice(devices.length);
    const listeners = await Promise.all(
      origins.map((origin) => listen(`${origin}/service/events`, { 'x-serviceapikey': ola.key })),
    );
    let [accepted, received, moved] = [0, 0, 0];

    for (let round = 0; round < rounds; round += 1) {
      const swarm = await ola.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
      const add = ({ device: resource_id }: DeviceClient, resource_type: string) =>
        ola.request('POST', `/swarms/${swarm.id}/resources`, { resource_id, resource_type });
      await add(steady, 'producer');
      for (const witness of witnesses) await add(witness, 'consumer');
      const link = await ola.request<JoinLink>('POST', `/swarms/${swarm.id}/links`, {
        name: 'l',
        resource_type: 'both',
      });
      const { id, pass } = await ann.request<JoinOffer>('GET', opening(link));
      const ends = await Promise.all(
        devices.map(async (device, n): Promise<Ended> => {
          const endsAt = await withEnd(2000 + n * 10, (ends_at) =>
            ann.request('POST', `/links/${id}/resources`, { pass, resource_id: device.device, ends_at }),
          );
          return { swarm: swarm.id, device, receiver: receivers[n]!, endsAt };
        }),
      );
      let isOver = false;
      const load = (async () => {
        while (!isOver) await steady.send('load', { swarm_id: swarm.id });
      })();
      const sent = await Promise.all(ends.map(({ device }) => sendUntilEnd(device, swarm.id)));
      isOver = true;
      await load;
      const last = await steady.send(`last ${round}`, { swarm_id: swarm.id });
      await Promise.all(
        seenBy.map((witness) =>
          witness.until((messages) => messages.some(({ message_id }) => message_id === last.message_id)),
        ),
      );
      await lastMove(ola, steady.device, listeners, round);

      for (const [n, { device, receiver, endsAt }] of ends.entries()) {
        const times = sent[n]!.map(({ sent_at }) => sent_at);
        accepted += times.length;
        expect(times.filter((at) => at >= endsAt)).toEqual([]);
        for (const { messages } of seenBy)
          expect(messages.filter(({ from, sent_at }) => from === device.device && sent_at >= endsAt)).toEqual([]);
        const got = receiver.messages.filter(({ swarm_id }) => swarm_id === swarm.id);
        received += got.length;
        expect(got.filter(({ sent_at }) => sent_at >= endsAt)).toEqual([]);
        for (const { events } of listeners) {
          const moves = events.flatMap(({ type, data }) =>
            type === 'resource.updated' && data.id === device.device ? [data] : [],
          );
          moved += moves.length;
          expect(moves.filter(({ modified_at }) => modified_at! >= endsAt)).toEqual([]);
        }
      }
      for (const { messages } of receivers) messages.length = 0;
      for (const { events } of listeners) events.length = 0;
      await ola.request('DELETE', `/swarms/${swarm.id}`);
    }
    recordFigure(
      `${rounds * devicesOfRound} ends: ${accepted} messages accepted, ${received} received, ${moved} moves shown; 0 of the end or later`,
    );
    expect(accepted).toBeGreaterThan(0);
    expect(received).toBeGreaterThan(0);
    expect(moved).toBeGreaterThan(0);
    for (const stream of [...receivers, ...listeners]) stream.close();
  },
  patience,
);

describe('a guest of a swarm’s link, on whichever process,', () => {
  let ann: TestUser;
  let ola: TestUser;
  beforeAll(async () => {
    [ann, ola] = [await join(originOf(0), 'ann-shared'), await join(originOf(1), 'ola-shares')];
  });

  const deviceNamed = (name: string) => ann.request<Resource>('POST', '/resources', { name, machine_type: 'bug' });
  const allow = ({ user, swarm, device }: { user: TestUser; swarm: Swarm; device: Resource }, isAllowed: boolean) =>
    user.request('PUT', `/swarms/${swarm.id}/resources/${device.id}`, {
      resource_type: 'producer',
      shown_by_links: isAllowed,
    });

  /** Moves the devices by all processes, as often as these answer, until `stop`. */
  function moveAll(devices: readonly Resource[]) {
    let isOver = false;
    const moving = devices.map(async ({ id }) => {
      for (let n = 0; !isOver; n += 1) {
        const answer = await fetch(`${originOf(n)}/service/resources/${id}`, {
          method: 'PUT',
          headers: { 'x-serviceapikey': ann.key, 'content-type': 'application/json' },
          body: JSON.stringify({ position: { longitude: 8, latitude: (n % 1000) / 100 } }),
        });
        expect(answer.status).toBe(200);
      }
    });
    return async () => {
      isOver = true;
      await Promise.all(moving);
    };
  }

  /** A swarm with two devices that links show, which move, and a guest of its link at each process. */
  async function race() {
    const swarm = await ola.request<Swarm>('POST', '/swarms', { name: 'Race', description: '' });
    const joinLink = await ola.request<JoinLink>('POST', `/swarms/${swarm.id}/links`, {
      name: 'l',
      resource_type: 'producer',
    });
    const { id, pass } = await ann.request<JoinOffer>('GET', opening(joinLink));
    const devices = [await deviceNamed('Hidden later'), await deviceNamed('Shown')];
    for (const { id: resource_id } of devices)
      await ann.request('POST', `/links/${id}/resources`, { pass, resource_id, shown_by_links: true });
    const stop = moveAll(devices);
    const link = await ola.request<NewShareLink>('POST', `/swarms/${swarm.id}/share-links`, {
      name: 'l',
      expires_at: new Date(Date.now() + hourMs).toISOString(),
    });
    const guests = await Promise.all(origins.map((origin) => lookAt(origin, codeOf(link))));
    await Promise.all(guests.map((guest) => guest.until('changed', ({ devices: moved }) => moved.length > 0)));
    return { swarm, link, devices, guests, stop };
  }

  const timesIn = (events: readonly GuestEvent[], isMeant: (name: string) => boolean = () => true) =>
    events.flatMap((event) =>
      'devices' in event
        ? event.devices.flatMap(({ name, located_at }) => (isMeant(name) ? [located_at ?? ''] : []))
        : [],
    );

  const ends: Record<string, (shared: Awaited<ReturnType<typeof race>>) => Promise<string>> = {
    'its owner ends it': async ({ swarm, link }) => {
      await ola.request('DELETE', `/swarms/${swarm.id}/share-links/${link.id}`);
      return new Date().toISOString();
    },
    'its time is over': ({ swarm, link }) =>
      withEnd(1000, (expires_at) => ola.request('PUT', `/swarms/${swarm.id}/share-links/${link.id}`, { expires_at })),
    'its swarm is deleted': async ({ swarm }) => {
      await ola.request('DELETE', `/swarms/${swarm.id}`);
      return new Date().toISOString();
    },
  };
  test.each(Object.keys(ends))(
    'gets nothing that was sent when or after %s',
    async (way) => {
      const shared = await race();
      const endedAt = await ends[way]!(shared);
      await Promise.all(shared.guests.map(({ ended }) => ended));
      const seen = shared.guests.map(({ events }) => timesIn(events));
      await shared.stop();
      for (const [index, times] of seen.entries()) {
        expect(times.length).toBeGreaterThan(0);
        expect(times.filter((at) => at >= endedAt)).toEqual([]);
        expect(shared.guests[index]!.events.at(-1)).toEqual({ type: 'ended' });
      }
      for (const origin of origins) expect((await lookAt(origin, codeOf(shared.link))).status).toBe(404);
    },
    patience,
  );

  test(
    'gets nothing of a device that was sent when or after its owner hid it from links, and the others still',
    async () => {
      const { swarm, devices, guests, stop } = await race();
      const [hidden, shown] = [devices[0]!, devices[1]!];
      await allow({ user: ann, swarm, device: hidden }, false);
      const hiddenAt = new Date().toISOString();
      await Promise.all(guests.map((guest) => guest.until('changed', ({ gone = [] }) => gone.length === 1)));
      // Each guest is sent what has moved once a second: two of these come after the device was hidden.
      const isLater = (from: string) => (event: Extract<GuestEvent, { type: 'changed' }>) =>
        timesIn([event]).some((at) => at > from);
      await Promise.all(
        guests.map(async (guest) => {
          const next = await guest.until('changed', isLater(hiddenAt));
          await guest.until('changed', isLater(timesIn([next])[0]!));
        }),
      );
      await stop();
      for (const guest of guests) {
        const times = timesIn(guest.events, (name) => name === hidden.name);
        expect(times.length).toBeGreaterThan(0);
        expect(times.filter((at) => at >= hiddenAt)).toEqual([]);
        expect(guest.shown()).toEqual([shown.name]);
        guest.close();
      }
    },
    patience,
  );
});

describe('of many uses at once, on all processes, one works:', () => {
  type Fetch = Parameters<typeof browserOf>[0];
  const fetchOf =
    (origin: string): Fetch =>
    (path, init) =>
      fetch(`${origin}${path}`, { redirect: 'manual', ...init });
  const browserAt = (n: number) => browserOf(fetchOf(originOf(n)));
  /** Another browser with the same cookies. */
  function copyOf({ cookies }: Browser, to: Fetch): Browser {
    const copy = browserOf(to);
    for (const [name, value] of cookies) copy.cookies.set(name, value);
    return copy;
  }
  /** The same at once on each process. */
  const usesAtOnce = <Outcome>(use: (to: Fetch, n: number) => Promise<Outcome>): Promise<Outcome[]> =>
    Promise.all(origins.map((origin, n) => use(fetchOf(origin), n)));
  const post = async (browser: Browser, path: string, body: object, to?: Fetch) =>
    outcomeOf(await browser.send('POST', path, body, to));
  const jsonOf = async <Body>(answer: Response) => (await answer.json()) as Body;
  function expectOne(outcomes: readonly string[], works: string, others: string) {
    expect(outcomes.toSorted()).toEqual([works, ...Array<string>(outcomes.length - 1).fill(others)].toSorted());
  }
  const newPassword = (n: number) => `a better password ${n}`;
  /** The password of the use that worked signs in, on each process. */
  async function expectPassword(username: string, outcomes: readonly string[]) {
    const right = newPassword(outcomes.indexOf('204'));
    const signIns = await usesAtOnce((to) =>
      post(browserOf(to), '/auth/sign-in/username', { username, password: right }),
    );
    expect(new Set(signIns)).toEqual(new Set(['200']));
  }
  async function signUp(username: string) {
    const browser = browserAt(0);
    const answer = await browser.send('POST', '/auth/sign-up', { username, password });
    expect(answer.status).toBe(201);
    return { browser, codes: (await jsonOf<NewRecoveryCodes>(answer)).recovery_codes };
  }

  test('a recovery code', async () => {
    const { codes } = await signUp('ruth');
    const outcomes = await usesAtOnce((to, n) =>
      post(browserOf(to), '/auth/recover', { username: 'ruth', code: codes[0], newPassword: newPassword(n) }),
    );
    expectOne(outcomes, '204', '401 sign_in.wrong_code');
    await expectPassword('ruth', outcomes);
  });

  test('the links by mail: that to confirm an address, and that to a new password', async () => {
    const { browser } = await signUp('mia');
    const codeOfMail = async (index: number) => {
      await expect.poll(() => mailServer.received.length).toBeGreaterThan(index);
      return /\/sign-in#(?:link|address)=(\S+)/.exec(mailServer.received[index]!.text)![1]!;
    };
    await browser.send('PUT', '/api/account/address', { address: 'mia@example.org', language: 'en' });
    const address = await codeOfMail(0);
    expectOne(
      await usesAtOnce((to) => post(browserOf(to), '/auth/address', { code: address })),
      '200',
      '404 address_link.not_found',
    );
    expect(await post(browserAt(1), '/auth/mail-link', { username: 'mia' })).toBe('202');
    const code = await codeOfMail(1);
    const outcomes = await usesAtOnce((to, n) =>
      post(browserOf(to), '/auth/password-link/use', { code, newPassword: newPassword(n) }),
    );
    expectOne(outcomes, '204', '404 password_link.not_found');
    await expectPassword('mia', outcomes);
  });

  test('a code of the app, and a step of a sign-in', async () => {
    const { browser, codes } = await signUp('theo');
    const { secret: ofApp } = await jsonOf<{ secret: string }>(await browser.send('POST', '/api/account/totp', {}));
    const totp = new TOTP({ secret: Secret.fromBase32(ofApp) });
    const codeOfApp = (agoMs = 0) => totp.generate({ timestamp: Date.now() - agoMs });
    // The code of the step before, so that the one of this step was not used. A step may end meanwhile.
    await expect.poll(() => post(browser, '/api/account/totp/confirm', { code: codeOfApp(30_000) })).toBe('200');
    const begin = async (n: number) => {
      const other = browserAt(n);
      const answer = await other.send('POST', '/auth/sign-in/username', { username: 'theo', password });
      expect(await answer.json()).toEqual({ second_factor: true });
      return other;
    };
    const others = await Promise.all([0, 1, 2].map(begin));
    const code = codeOfApp();
    expectOne(
      await usesAtOnce((to, n) => post(others[n]!, '/auth/second-factor', { code }, to)),
      '200',
      '401 second_factor.wrong',
    );
    const step = await begin(0);
    expectOne(
      await usesAtOnce((to, n) => post(copyOf(step, to), '/auth/second-factor', { code: codes[n] })),
      '200',
      '401 second_factor.wrong',
    );
  });

  test('a passkey’s answer', async () => {
    const { browser } = await signUp('pia');
    const authenticator = createAuthenticator({ origin: publicUrl });
    const creation = await jsonOf<AskedToCreate>(await browser.send('POST', '/api/account/passkeys/options'));
    const credential = authenticator.create(creation);
    expect(await post(browser, '/api/account/passkeys', { name: 'phone', credential })).toBe('201');
    const asking = browserAt(1);
    const asked = await jsonOf<AskedToUse>(await asking.send('POST', '/auth/sign-in/passkey/options', {}));
    const answer = { credential: authenticator.get(asked) };
    expectOne(
      await usesAtOnce((to) => post(copyOf(asking, to), '/auth/sign-in/passkey', answer)),
      '200',
      '401 sign_in.wrong_passkey',
    );
  });

  test('a return from a provider, and a newcomer’s choice of a name', async () => {
    // It says that it is not set up for production.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    provider.allow(publicUrl);
    /** What brings a browser back. The provider accepts each code once. */
    const visit = (url: string) => visitAs('otto', url, publicUrl);
    const comeBack = async (browser: Browser, path: string, to?: Fetch) =>
      (await browser.send('GET', path, undefined, to)).headers.get('location')!;
    const begin = async (browser: Browser) => (await browser.send('GET', '/auth/oidc/home')).headers.get('location')!;
    const newcomer = browserAt(0);
    const first = await visit(await begin(newcomer));
    expect(await comeBack(newcomer, first, fetchOf(originOf(1)))).toBe('/sign-in?named=no');
    const outcomes = await usesAtOnce((to, n) =>
      post(copyOf(newcomer, to), '/auth/sign-up/identity', { username: `otto-${n}` }),
    );
    expectOne(outcomes, '201', '400 sign_in.step_ended');

    const known = browserAt(2);
    const url = await begin(known);
    const returns = await Promise.all(origins.map(() => visit(url)));
    const places = await usesAtOnce((to, n) => comeBack(copyOf(known, to), returns[n]!));
    expectOne(places, '/', '/sign-in?refused=sign_in.step_ended&provider=home');
  });
});

test('a process that is killed while it records values: each value is recorded once, by another one', async () => {
  const ann = await join(originOf(0), 'ann-records');
  const swarm = await ann.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
  const devices = await Promise.all(origins.map((origin) => deviceOf(ann, origin)));
  for (const { device } of devices) {
    await ann.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: device, resource_type: 'producer' });
    await ann.request('PUT', `/resources/${device}`, { keep_values: 'sent_at' });
  }
  const sent: number[] = [];
  const say = async () => {
    const n = sent.push(sent.length) - 1;
    await Promise.all(
      devices.map(({ key, device }, of) => deviceClient(originOf(n + of), { key, device }).send({ n })),
    );
  };
  for (let times = 0; times < 20; times += 1) await say();

  const [other, watcher] = [0, 1].map(() => new Client({ connectionString: postgres.url })) as [Client, Client];
  for (const client of [other, watcher]) await client.connect();
  const runJobs = () => watcher.query(`NOTIFY swarmdeck_announcements, 'values due'`);
  // A commit of the job waits in the middle while the table is locked.
  await other.query('BEGIN');
  await other.query('LOCK TABLE device_values IN SHARE ROW EXCLUSIVE MODE');
  for (let times = 0; times < 20; times += 1) await say();
  const recording = async () => {
    await runJobs();
    const found = await watcher.query<{ name: string }>(`SELECT application_name AS name
      FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE relation = 'device_values'::regclass AND NOT granted`);
    return found.rows[0]?.name;
  };
  const killed = await vi.waitUntil(recording, { timeout: 30_000, interval: 50 });
  const restart = await kill([0, 1, 2].findIndex((n) => nameOf(n) === killed));
  await other.query('ROLLBACK');
  for (let times = 0; times < 20; times += 1) await say();
  // As after its time.
  await other.query(`UPDATE leases SET until = 0 WHERE name = 'values'`);
  // The first commit of the job, which makes the row of the cursor, may be the one that was killed.
  const unread = 'SELECT 1 FROM messages WHERE seq > coalesce((SELECT seq FROM value_cursor), 0) LIMIT 1';
  const areRead = async () => {
    await runJobs();
    return (await other.query(unread)).rowCount === 0;
  };
  await vi.waitUntil(areRead, { timeout: 30_000, interval: 50 });
  await other.query(`DELETE FROM messages WHERE swarm_id = '${swarm.id}'`);
  for (const { device } of devices) {
    const read = await fetch(`${originOf(1)}/service/resources/${device}/values`, {
      headers: { 'x-serviceapikey': ann.key },
    });
    const { series } = (await read.json()) as Values;
    expect(series.map(({ key, values }) => [key, values])).toEqual([['n', sent]]);
  }
  for (const client of [other, watcher]) await client.end();
  await restart();
});

// The last test: one process fewer.
test('a process that is killed before an end: nothing of the end or later is accepted or delivered by the others', async () => {
  const [ann, ola] = [await join(originOf(0), 'ann-killed'), await join(originOf(1), 'ola-killed')];
  const [device, steady] = [await deviceOf(ann, originOf(2)), await deviceOf(ola, originOf(0))];
  const witnesses = await Promise.all([0, 1].map((n) => deviceOf(ola, originOf(n))));
  const seenBy = await Promise.all(witnesses.map((witness) => witness.receive()));
  const swarm = await ola.request<Swarm>('POST', '/swarms', { name: 'Ring', description: '' });
  const add = (resource_id: string, resource_type: string) =>
    ola.request('POST', `/swarms/${swarm.id}/resources`, { resource_id, resource_type });
  await add(steady.device, 'producer');
  for (const witness of witnesses) await add(witness.device, 'consumer');
  const link = await ola.request<JoinLink>('POST', `/swarms/${swarm.id}/links`, {
    name: 'l',
    resource_type: 'producer',
  });
  const { id, pass } = await ann.request<JoinOffer>('GET', opening(link));
  const endsAt = await withEnd(2000, (ends_at) =>
    ann.request('POST', `/links/${id}/resources`, { pass, resource_id: device.device, ends_at }),
  );
  const isOf = ({ from }: { from: string }) => from === device.device;
  const sending = sendUntilEnd(device, swarm.id, { mayFail: true });
  await Promise.all(seenBy.map((witness) => witness.until((messages) => messages.some(isOf))));
  await kill(2);
  const accepted = (await sending).map(({ sent_at }) => sent_at);
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.filter((at) => at >= endsAt)).toEqual([]);
  const last = await steady.send('last', { swarm_id: swarm.id });
  for (const witness of seenBy) {
    await witness.until((messages) => messages.some(({ message_id }) => message_id === last.message_id));
    expect(witness.messages.filter((message) => isOf(message) && message.sent_at >= endsAt)).toEqual([]);
    witness.close();
  }
});
