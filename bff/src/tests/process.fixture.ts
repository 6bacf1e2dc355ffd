import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env as ownEnv } from 'node:process';
import { text } from 'node:stream/consumers';

/** Whether this is the long run, with large numbers. */
export const long = ownEnv['SWARMDECK_LONG'] === '1';
export const seed = Number(ownEnv['SWARMDECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** With the server as in a package (`.tools/checks.ts`), which loads faster; undefined: processes run from the sources. */
const bundle = ownEnv['SWARMDECK_BUNDLE'];
/** In ms, for tests with processes: long enough for a busy machine. */
export const patience = long ? 1_800_000 : 300_000;
export const password = 'correct horse battery';

/** In the long run: adds a line to the figures that `.tools/checks.ts` prints. No test passes or fails by a figure. */
export function recordFigure(line: string) {
  const file = ownEnv['SWARMDECK_FIGURES'];
  if (long && file) appendFileSync(file, `${line}\n`);
}

/** On a busy machine, a request may fail with 503 where no test expects it: only the log of the server has the cause. */
export function showUnavailable(log: string) {
  for (const line of log.split('\n')) if (line.includes('"status":503')) process.stderr.write(`${line}\n`);
}

type Env = Record<string, string>;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Disposing kills the server if it has not ended. */
interface ServerProcess extends AsyncDisposable {
  origin: string;
  /** The address of the metrics, if there are any. */
  metrics: string | undefined;
  pid: number;
  ended: Promise<Ended>;
  /** Sends the signal and waits until the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended>;
}

export function temporaryDataDir(): { dataDir: string } & Disposable {
  const dataDir = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  return { dataDir, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** The settings of the tests, without the environment of the test runner. */
function settings(dataDir: string, env: Env): Env {
  return {
    PATH: ownEnv['PATH'] ?? '',
    // With this cache, each further process starts a third faster.
    NODE_COMPILE_CACHE: ownEnv['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'swarmdeck-compile-cache'),
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  };
}

const running = new Set<ChildProcess>();
// A test that timed out does not dispose its resources.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface Launch {
  script: 'main.ts' | 'cli.ts';
  args?: string[];
  dataDir: string;
  env?: Env;
  /** Limits the size of its files to this many blocks of `ulimit -f`, like a disk that fills up. */
  fileBlocks?: number;
  /** As the sources, whose packages have their names, also if others run as in a package. */
  fromSources?: boolean;
}

function launch({ script, args = [], dataDir, env = {}, fileBlocks, fromSources = false }: Launch) {
  const program =
    bundle && !fromSources ? join(bundle, script.replace('.ts', '.js')) : join(import.meta.dirname, '..', script);
  const command = [process.execPath, program, ...args];
  const limit = fileBlocks ? `ulimit -f ${fileBlocks};` : '';
  const child = spawn('sh', ['-c', `${limit} exec "$@"`, 'sh', ...command], {
    env: settings(dataDir, env),
    stdio: 'pipe',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.stderr.on('data', (chunk: Buffer) => showUnavailable(chunk.toString()));
  const output = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  const ended = output.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended };
}

/** Runs a process to its end. */
export async function runToEnd({ input = '', ...options }: Launch & { input?: string }): Promise<Ended> {
  const { child, ended } = launch(options);
  child.stdin.end(input);
  return ended;
}

/** A folder as a server leaves it that has started once. */
export async function dataDirWithDatabase(): Promise<ReturnType<typeof temporaryDataDir>> {
  const folder = temporaryDataDir();
  const server = await startServer(folder);
  await server.end('SIGTERM');
  return folder;
}

/** Starts a real server on a free port. Rejects with its output if it does not start. */
export async function startServer(options: Omit<Launch, 'script' | 'args'>): Promise<ServerProcess> {
  const { child, ended } = launch({ script: 'main.ts', ...options });
  let said = '';
  const origin = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /Swarmdeck is at (\S+)\n/.exec(said);
        if (found) resolve(found[1]!);
      });
    }),
    ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const end: ServerProcess['end'] = (signal) => {
    child.kill(signal);
    return ended;
  };
  return {
    origin,
    metrics: /The metrics are at (\S+)\n/.exec(said)?.[1],
    pid: child.pid!,
    ended,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}
export type Send = (asked: { method?: string; path: string; headers?: Env; body?: unknown }) => Promise<Answer>;

/** A busy server resets new connections when 511 of them wait for it. */
const mostConnections = 200;

/** Sends requests over keep-alive connections. Rejects if the connection is closed. */
export function createSender(origin: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections });
  return ({ method = 'GET', path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const sent = request(`${origin}${path}`, {
        agent,
        method,
        headers: {
          ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
          ...headers,
        },
      });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, body }), reject);
      });
      sent.end(json);
    });
}

/** The header that a browser sends for a page of this site. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** The `cookie` header that a browser would send after this response. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

export function signUp({ send, name }: { send: Send; name: string }): Promise<Answer> {
  const body = { username: name, password, name };
  return send({ method: 'POST', path: '/auth/sign-up', headers: sameOrigin, body });
}

export function signIn({ send, name, password }: { send: Send; name: string; password: string }): Promise<Answer> {
  const body = { username: name, password };
  return send({ method: 'POST', path: '/auth/sign-in/username', headers: sameOrigin, body });
}
