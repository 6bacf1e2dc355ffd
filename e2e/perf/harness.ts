/** Shared by the benchmarks: servers, users, and the resource usage of a process. Linux only. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

/** As in `npm start`. */
const heap = '--max-semi-space-size=16';

interface Started {
  child: ChildProcess;
  /** The first group of the match of `ready` in the output. */
  found: string;
}

export async function start(
  script: string,
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<Started> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = ready.exec(line);
    if (found) return { child, found: found[1]! };
  }
  throw new Error(`${script} did not start`);
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export interface Swarmdeck extends AsyncDisposable {
  origin: string;
  port: number;
  pid: number;
}

/**
 * The service on a free port, with its own data folder, or on the database that all share (`STORE=postgres`). `clone`:
 * the path of another clone to run, relative to this one. `folder`: one that the caller deletes. `env`: more settings; without
 * them, there are no limits.
 */
export async function startSwarmdeck({
  clone = '',
  folder: given,
  env: more = {},
}: { clone?: string; folder?: string; env?: Record<string, string> } = {}): Promise<Swarmdeck> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
  const limits = { RATE_LIMIT: 'off', QUOTAS: 'off' };
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    ...limits,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: heap,
    MQTT: '127.0.0.1:0',
    ...more,
  };
  const { child, found: origin } = await start(join(clone, 'bff/src/main.ts'), [], env, /Swarmdeck is at (\S+)/);
  return {
    origin,
    port: Number(new URL(origin).port),
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      await stop(child);
      if (!given) rmSync(folder, { recursive: true });
    },
  };
}

export async function send(method: string, url: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

export const post = (url: string, headers: Record<string, string>, body: object) => send('POST', url, headers, body);

export interface TestUser {
  name: string;
  /** `session`: headers of requests to `/api`. `key`: headers of requests to `/service`. */
  session: Record<string, string>;
  key: Record<string, string>;
}

export async function signUp(origin: string, name: string): Promise<TestUser> {
  const browser = { origin, 'sec-fetch-site': 'same-origin' };
  const signedUp = await post(`${origin}/auth/sign-up`, browser, {
    username: name,
    password: 'correct horse battery',
    name,
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((entry) => entry.split(';')[0])
    .join('; ');
  const session = { ...browser, cookie, 'content-type': 'application/json' };
  // Pages would show that the codes are not stored. An earlier server knows nothing of that.
  const { set_id } = (await signedUp.json()) as { set_id?: string };
  if (set_id !== undefined) await send('PUT', `${origin}/api/account/recovery-codes/stored`, session, { set_id });
  const made = await post(`${origin}/api/account/keys`, session, { name: 'bench' });
  const { key } = (await made.json()) as { key: string };
  return { name, session, key: { 'x-serviceapikey': key, 'content-type': 'application/json' } };
}

/** Calls `act` for all items, `atOnce` at a time, in order. */
export async function each<T, R>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await act(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Seconds of processor time, all threads. */
export function processorSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`);
}

function secondsIn(stat: string): number {
  const fields = readFileSync(stat, 'utf8').split(') ')[1]!.split(' ');
  // user and system time, in hundredths
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The same for each thread, by its id. */
export function threadSeconds(pid: number): Map<string, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(threads.map((thread) => [thread, secondsIn(`/proc/${pid}/task/${thread}/stat`)]));
}

/** Resident memory in MB. */
export function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** The same without pages of the database's file, which the system may evict. */
export function ownMemory(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

export function openFilesAtMost(pid: number): number {
  return Number(/Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))![1]);
}

/** Connections with more than 64 KiB in the kernel's buffers. */
export function unsentConnections({ pid, port }: { pid: number; port: number }): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const established = '01';
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n');
  return lines.filter((line) => {
    const [, from, , state, queues] = line.trim().split(/\s+/);
    return from?.endsWith(local) && state === established && Number.parseInt(queues!, 16) > 65_536;
  }).length;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

export const machine = () => `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`;
export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
