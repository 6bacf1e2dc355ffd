import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import {
  createOwner,
  createRandom,
  createShared,
  join,
  write,
  type Attempt,
  type Entry,
  type Load,
  type Owner,
} from './durability.fixture.ts';
import {
  createSender,
  long,
  password,
  seed,
  signIn,
  signUp,
  startServer,
  temporaryDataDir,
  type Send,
} from './process.fixture.ts';

const writers = 1000;
const seeds = Array.from({ length: long ? 100 : 1 }, (_, round) => seed + round);

test.each(seeds)(
  'acknowledged writes survive a kill -9 and a torn log, other writes are complete or missing (seed %i)',
  async (seed) => {
    using folder = temporaryDataDir();
    const { owners, load } = await writeUntilKilled({ dataDir: folder.dataDir, seed });
    expect(load.failures).toEqual([]);
    const open = load.entries.flatMap((entry) => [...entry.open]);
    expect(open.length).toBeGreaterThan(0);
    // A power failure may leave a part of the next commit.
    appendFileSync(pathOf(folder.dataDir, 'swarmdeck.db-wal'), randomBytes(Math.floor(createRandom(seed)() * 20_000)));

    await using server = await startServer(folder);
    const send = createSender(server.origin);
    const found = await readAll({ send, owners, load });
    expect(load.entries.flatMap((entry) => faultsOf(entry, found))).toEqual([]);
    expect(unknownRecords({ load, found })).toEqual([]);
    await repeatCreates({ send, load, owners });
    await expectPeople({ send, load });
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  },
);

async function writeUntilKilled({ dataDir, seed }: { dataDir: string; seed: number }) {
  const random = createRandom(seed);
  await using server = await startServer({ dataDir });
  const send = createSender(server.origin);
  const owners = await Promise.all(['ann', 'bob', 'cleo', 'dan'].map((name) => createOwner({ send, name })));
  const load: Load = {
    entries: [],
    signedUp: new Map(),
    signingUp: new Set(),
    failures: [],
    acknowledged: 0,
    server: 'alive',
  };
  const shared = await createShared({ load, send, owners, random });
  const joining = ['eve', 'fay'].map((name) => join({ load, send, name }));
  const killAfter = 1000 + Math.floor(random() * 1000);
  const writing = Array.from({ length: writers }, (_, index) => {
    const mine = { owner: owners[index % owners.length]!, shared: shared[index % owners.length]! };
    return write({ load, send, ...mine, name: `w${index}`, random: createRandom(seed + index) });
  });
  const began = performance.now();
  while (load.failures.length === 0 && (load.acknowledged < killAfter || load.signedUp.size < 1)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  load.server = 'doomed';
  // The writers send in waves, in step with the server; the kill happens at any time in the next wave.
  const waveSeconds = ((performance.now() - began) / load.acknowledged) * (writers / 1000);
  spawn('sh', ['-c', `sleep ${(random() * waveSeconds).toFixed(3)}; kill -9 ${server.pid}`]);
  await Promise.all([server.ended, ...writing, ...joining]);
  return { owners, load };
}

type Found = Map<string, { version: number; record: Resource }>;

/** Reads everything by list and each record by GET, which must be equal. */
async function readAll({ send, owners, load }: { send: Send; owners: Owner[]; load: Load }): Promise<Found> {
  const lists = await Promise.all(
    owners.map(async ({ entryPoints }) => {
      const { mount, headers } = entryPoints[0]!;
      return JSON.parse((await send({ path: `${mount}/resources`, headers })).body) as Resource[];
    }),
  );
  const listed = new Map(lists.flat().map((record) => [record.id, record]));
  const asked = new Map<string, Owner>();
  for (const { id, owner } of load.entries) if (id) asked.set(id, owner);
  for (const [index, list] of lists.entries()) for (const { id } of list) asked.set(id, owners[index]!);

  const found: Found = new Map();
  await inTurns([...asked], async ([id, { entryPoints }]) => {
    const { mount, headers } = entryPoints[1]!;
    const { status, body, headers: answered } = await send({ path: `${mount}/resources/${id}`, headers });
    const record = status === 200 ? (JSON.parse(body) as Resource) : undefined;
    expect([200, 404]).toContain(status);
    expect(record).toEqual(listed.get(id));
    if (record) found.set(id, { version: Number(JSON.parse(answered.etag!)), record });
  });
  return found;
}

/** The errors of this resource. */
function faultsOf({ id, acknowledged, open, owner }: Entry, found: Found): string[] {
  // A resource without a known id is checked by `unknownRecords`.
  if (!id) return [];
  const actual = found.get(id);
  const allowed = [...open];
  if (!actual) {
    const mayBeGone = !acknowledged || allowed.some(({ what }) => what === 'destroy');
    return mayBeGone ? [] : [`${id} is lost: ${JSON.stringify(acknowledged)}`];
  }
  if (actual.version === acknowledged?.version) {
    expect(actual.record).toEqual(acknowledged.record);
    return [];
  }
  const newer = acknowledged && actual.version > acknowledged.version;
  const whole = allowed.some((attempt) => isResultOf({ attempt, record: actual.record, owner }));
  return newer && whole ? [] : [`${id} is ${JSON.stringify(actual)}, acknowledged was ${JSON.stringify(acknowledged)}`];
}

/** Whether the record has exactly the fields of the write. */
function isResultOf({ attempt, record, owner }: { attempt: Attempt; record: Resource; owner: Owner }): boolean {
  if (attempt.what === 'destroy') return false;
  const { id, user_id, created_at, modified_at, ...fields } = record;
  const updated = attempt.what === 'update' ? modified_at !== undefined : modified_at === undefined;
  const complete = Boolean(id) && user_id === owner.name && Boolean(created_at) && updated;
  return complete && JSON.stringify(sorted(fields)) === JSON.stringify(sorted(attempt.fields));
}

function sorted(fields: object) {
  return Object.entries(fields).toSorted(([a], [b]) => a.localeCompare(b));
}

/** Records with unknown ids: each must be a complete, unacknowledged creation, at most once. */
function unknownRecords({ load, found }: { load: Load; found: Found }): string[] {
  const known = new Set(load.entries.map(({ id }) => id));
  const creates = load.entries
    .filter(({ id }) => !id)
    .flatMap(({ open, owner }) => [...open].map((attempt) => ({ attempt, owner })));
  const taken = new Set<Attempt>();
  return [...found.values()]
    .filter(({ record }) => !known.has(record.id))
    .filter(({ record, version }) => {
      const origin = creates.find(
        ({ attempt, owner }) => !taken.has(attempt) && isResultOf({ attempt, record, owner }),
      );
      if (origin) taken.add(origin.attempt);
      return !origin || version !== 1;
    })
    .map(({ record }) => JSON.stringify(record));
}

/** Repeats unacknowledged creations with their idempotency keys: each takes effect once. */
async function repeatCreates({ send, load, owners }: { send: Send; load: Load; owners: Owner[] }) {
  const repeat = (owner: Owner, key: string, body: unknown) => {
    const { mount, headers } = owner.entryPoints[0]!;
    return send({ method: 'POST', path: `${mount}/resources`, headers: { ...headers, 'idempotency-key': key }, body });
  };
  const unanswered = load.entries.flatMap(({ owner, open }) =>
    [...open].flatMap((attempt) =>
      attempt.what === 'create' && attempt.key ? [{ owner, ...attempt, key: attempt.key }] : [],
    ),
  );
  await inTurns(unanswered, async ({ owner, key, fields }) => {
    expect((await repeat(owner, key, fields)).status).toBe(201);
  });
  await inTurns(load.entries.filter(({ created }) => created).slice(0, 100), async ({ owner, created }) => {
    expect(await repeat(owner, created!.key, created!.fields)).toMatchObject({ status: 201, body: created!.answer });
  });

  const names = new Map<string, number>();
  for (const { entryPoints } of owners) {
    const { body } = await send({ path: '/service/resources', headers: entryPoints[0]!.headers });
    for (const { name } of JSON.parse(body) as Resource[]) names.set(name, (names.get(name) ?? 0) + 1);
  }
  expect(unanswered.filter(({ fields }) => names.get(fields.name) !== 1)).toEqual([]);
}

/** Acknowledged sign-ups persist. After an unacknowledged one, the account is complete or the name is free. */
async function expectPeople({ send, load }: { send: Send; load: Load }) {
  for (const [name, cookie] of load.signedUp) {
    const { status, body } = await send({ path: '/api/account', headers: { cookie } });
    expect({ status, user_id: (JSON.parse(body) as { user_id: string }).user_id }).toEqual({
      status: 200,
      user_id: name,
    });
  }
  const [first] = load.signedUp.keys();
  expect((await signIn({ send, name: first!, password })).status).toBe(200);
  for (const name of load.signingUp) {
    const known = await signIn({ send, name, password });
    expect(known.status === 200 ? 201 : (await signUp({ send, name })).status).toBe(201);
  }
}

async function inTurns<T>(items: T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await act(item);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
}
