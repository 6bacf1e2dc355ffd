import type { Resource, ResourceCreate } from '../contract.ts';
import { cookieOf, sameOrigin, signUp, type Answer, type Send } from './process.fixture.ts';

/** The fields of a device. All fields of a record must come from one write. */
type Fields = ResourceCreate & { description: string };

export type Attempt =
  | { what: 'create'; fields: Fields; key: string | undefined }
  | { what: 'update'; fields: Fields }
  | { what: 'destroy' };

/** A resource as its writers know it. */
export interface Entry {
  owner: Owner;
  id?: string;
  /** The latest acknowledged version; undefined if its creation was not acknowledged, or its deletion was. */
  acknowledged: { version: number; record: Resource } | undefined;
  /** Requests without a response. */
  open: Set<Attempt>;
  created?: { key: string; fields: Fields; answer: string };
}

export interface Owner {
  name: string;
  /** The two ways to send requests: the first path segment and the credential. */
  entryPoints: { mount: '/service' | '/api'; headers: Record<string, string> }[];
}

export interface Load {
  entries: Entry[];
  /** The users whose sign-up was acknowledged, with their cookies; and those whose was not. */
  signedUp: Map<string, string>;
  signingUp: Set<string>;
  /** Failures: an error response, or a closed connection before the kill. */
  failures: string[];
  acknowledged: number;
  /** `doomed`: the server is being killed, so connections may be closed. */
  server: 'alive' | 'doomed';
}

export type Random = () => number;

/** mulberry32, a seeded random number generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates a user with two keys and a session. */
export async function createOwner({ send, name }: { send: Send; name: string }): Promise<Owner> {
  const session = { ...sameOrigin, cookie: cookieOf(await signUp({ send, name })) };
  const keys = await Promise.all(
    ['one', 'two'].map(async (label) => {
      const made = await send({ method: 'POST', path: '/api/account/keys', headers: session, body: { name: label } });
      return (JSON.parse(made.body) as { key: string }).key;
    }),
  );
  const direct = keys.map((key) => ({ mount: '/service' as const, headers: { 'x-serviceapikey': key } }));
  return { name, entryPoints: [...direct, { mount: '/api', headers: session }] };
}

const marks = ['', ' "quoted"', ' ü 𝄞', ' \\ / \n line', ' ,"name":'];

/** Fields that all identify their write. */
function fieldsOf({ token, number, random }: { token: string; number: number; random: Random }): Fields {
  const kinds = ['pc', 'bug', 'smartphone'] as const;
  const mark = marks[Math.floor(random() * marks.length)]!;
  return {
    name: token,
    machine_type: kinds[number % 3]!,
    description: `${token}${mark}`,
    position: { longitude: (number % 3600) / 10 - 180, latitude: (number % 1800) / 10 - 90 },
  };
}

/** Resources that several writers change concurrently. */
export async function createShared(options: { load: Load; send: Send; owners: Owner[]; random: Random }) {
  const { load, owners } = options;
  return Promise.all(
    owners.map(async (owner) => {
      const entry = newEntry(load, owner);
      const fields = fieldsOf({ token: `shared ${owner.name}`, number: 1, random: options.random });
      await act({ ...options, entry, attempt: { what: 'create', fields, key: undefined }, entryPoint: 0 });
      return entry;
    }),
  );
}

/** A writer: creates, updates and deletes until the server is gone. */
export async function write(options: {
  load: Load;
  send: Send;
  owner: Owner;
  shared: Entry;
  name: string;
  random: Random;
}): Promise<void> {
  const { load, owner, shared, name, random } = options;
  const own: Entry[] = [];
  let isServed = true;
  for (let number = 0; isServed; number++) {
    const entryPoint = Math.floor(random() * owner.entryPoints.length);
    const token = `${name} ${number}`;
    const fields = fieldsOf({ token, number: Math.floor(random() * 10_000), random });
    const known = own[Math.floor(random() * own.length)];
    const dice = random();
    if (dice < 0.1) {
      isServed = await act({ ...options, entry: shared, attempt: { what: 'update', fields }, entryPoint });
    } else if (!known?.acknowledged || dice < 0.5) {
      const entry = newEntry(load, owner);
      own.push(entry);
      const key = random() < 0.5 ? `key of ${token}`.replaceAll(' ', '-') : undefined;
      isServed = await act({ ...options, entry, attempt: { what: 'create', fields, key }, entryPoint });
    } else {
      const attempt: Attempt = dice < 0.85 ? { what: 'update', fields } : { what: 'destroy' };
      isServed = await act({ ...options, entry: known, attempt, entryPoint });
    }
  }
}

/** Signs up users meanwhile. */
export async function join(options: { load: Load; send: Send; name: string }): Promise<void> {
  const { load, send } = options;
  for (let number = 0; ; number++) {
    const name = `${options.name}-${number}`;
    load.signingUp.add(name);
    try {
      const answer = await signUp({ send, name });
      if (answer.status === 201) load.signedUp.set(name, cookieOf(answer));
      else load.failures.push(`sign-up: ${answer.status} ${answer.body}`);
      load.signingUp.delete(name);
    } catch (error) {
      if (load.server === 'alive') load.failures.push(`sign-up: ${String(error)}`);
      return;
    }
  }
}

function newEntry(load: Load, owner: Owner): Entry {
  const entry: Entry = { owner, acknowledged: undefined, open: new Set() };
  load.entries.push(entry);
  return entry;
}

/** Sends one request and records the acknowledgement. Returns false if the connection was closed. */
async function act(options: {
  load: Load;
  send: Send;
  entry: Entry;
  attempt: Attempt;
  entryPoint: number;
}): Promise<boolean> {
  const { load, send, entry, attempt, entryPoint } = options;
  entry.open.add(attempt);
  try {
    const answer = await send(requestOf({ entry, attempt, entryPoint }));
    if (answer.status < 200 || answer.status > 299) {
      load.failures.push(`${attempt.what}: ${answer.status} ${answer.body}`);
    } else {
      note({ entry, attempt, answer });
      load.acknowledged += 1;
    }
    entry.open.delete(attempt);
    return true;
  } catch (error) {
    if (load.server === 'alive') load.failures.push(`${attempt.what}: ${String(error)}`);
    return false;
  }
}

function requestOf({ entry, attempt, entryPoint }: { entry: Entry; attempt: Attempt; entryPoint: number }) {
  const { mount, headers } = entry.owner.entryPoints[entryPoint]!;
  const path = `${mount}/resources`;
  if (attempt.what === 'create') {
    const key = attempt.key && { 'idempotency-key': attempt.key };
    return { method: 'POST', path, headers: { ...headers, ...key }, body: attempt.fields };
  }
  if (attempt.what === 'destroy') return { method: 'DELETE', path: `${path}/${entry.id}`, headers };
  return { method: 'PUT', path: `${path}/${entry.id}`, headers, body: attempt.fields };
}

function note({ entry, attempt, answer }: { entry: Entry; attempt: Attempt; answer: Answer }) {
  if (attempt.what === 'destroy') {
    entry.acknowledged = undefined;
    return;
  }
  const record = JSON.parse(answer.body) as Resource;
  const version = Number(JSON.parse(answer.headers.etag!));
  entry.id = record.id;
  // Responses of different connections may arrive in another order.
  if (version > (entry.acknowledged?.version ?? 0)) entry.acknowledged = { version, record };
  if (attempt.what === 'create' && attempt.key) {
    entry.created = { key: attempt.key, fields: attempt.fields, answer: answer.body };
  }
}
