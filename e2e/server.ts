import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../.tools/free-port.ts';

const root = dirname(import.meta.dirname);

/** The command of an installed package; undefined: the sources. */
const installed = process.env['SWARMDECK_COMMAND'];
export const isInstalled = installed !== undefined;
const [serverCommand, operatorCommand] = installed
  ? [[installed, 'start'], [installed]]
  : [
      [
        process.execPath,
        ...imported(
          './.tools/cheap-scrypt.ts',
          './bff/src/tests/hold-actions.fixture.ts',
          './bff/src/tests/often-values.fixture.ts',
        ),
        // an older clone does not have these
        ...imported(join(root, '.tools/cheap-brotli.ts')),
        ...(process.env['SWARMDECK_DELAY'] ? imported(join(root, '.tools/delay-answers.ts')) : []),
        'bff/src/main.ts',
      ],
      [process.execPath, 'bff/src/cli.ts'],
    ];

function imported(...files: string[]) {
  return files.flatMap((file) => ['--import', file]);
}

export interface Server {
  origin: string;
  dataDir: string;
  /** Everything that it has printed. */
  log(): string;
  /** Runs the operator's command against this server's data. */
  command(...args: string[]): Promise<{ code: number; output: string }>;
  /**
   * Its actions wait at the items that contain this text, until the next call. Without a text they continue. Returns a
   * function that waits until one is held.
   */
  holdActionsAt(text?: string): Promise<() => Promise<void>>;
  /** Stops it with SIGTERM. Throws if it exits with an error or has logged one. */
  end(): Promise<void>;
  /** Ends it with SIGKILL, as a crash or a power failure would. */
  kill(): Promise<void>;
  /** It takes connections and answers nothing, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same port with the same data. */
  again(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the real server on a free port with a data folder of its own, and waits until it can serve. `clone`: the one that it is in.
 * `host`: passkeys need a name.
 */
export async function startServer({
  env = {},
  clone = root,
  host = '127.0.0.1',
}: { env?: Record<string, string>; clone?: string; host?: '127.0.0.1' | 'localhost' } = {}): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmdeck-e2e-'));
  const port = await freePort();
  const origin = `http://${host}:${port}`;
  const settings = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    ...(host === 'localhost' && { PUBLIC_URL: origin }),
    RATE_LIMIT: 'off',
    MQTT: '127.0.0.1:0',
    ...env,
  };
  let log = '';
  let running: Process | null = null;

  async function start() {
    const process = spawnServer({ settings, clone, onOutput: (text) => (log += text) });
    for (let tries = 0; !(await isReady(origin)); tries += 1) {
      if (process.hasEnded() || tries > 300) throw new Error(`The server did not start:\n${log}`);
      await wait(50);
    }
    running = process;
  }

  async function end() {
    const code = (await running?.end()) ?? 0;
    running = null;
    const errors = log.split('\n').filter((line) => line.includes('"level":"error"'));
    if (code !== 0 || errors.length > 0) throw new Error(`The server ended with ${code}:\n${errors.join('\n')}`);
  }

  await start();
  return {
    origin,
    dataDir,
    log: () => log,
    command: (...args) => runCommand({ args, env: settings }),
    async holdActionsAt(text = '') {
      const file = join(dataDir, 'hold-actions-at');
      const heldFile = join(dataDir, 'held-actions-at');
      // another journey of this server may have held them at the same text
      await rm(heldFile, { force: true });
      // at once, because the server reads it at any time
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
      const held = () => readFile(heldFile, 'utf8').catch(() => '');
      return async () => {
        while ((await held()) !== text) await wait(20);
      };
    },
    end,
    async kill() {
      await running?.end('SIGKILL');
      running = null;
    },
    freeze: () => running?.signal('SIGSTOP'),
    thaw: () => running?.signal('SIGCONT'),
    again: start,
    async stop() {
      try {
        // a journey that failed may have left it frozen
        running?.signal('SIGCONT');
        // a journey that failed may still hold actions, which would keep the server from ending
        await writeFile(join(dataDir, 'hold-actions-at'), '');
        await end();
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

interface Process {
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

function spawnServer({
  settings,
  clone,
  onOutput,
}: {
  settings: NodeJS.ProcessEnv;
  clone: string;
  onOutput: (text: string) => void;
}): Process {
  const child = launch(serverCommand, settings, clone);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => onOutput(chunk.toString()));
  return {
    hasEnded: () => child.exitCode !== null,
    signal: (signal) => void child.kill(signal),
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

function runCommand({ args, env }: { args: string[]; env: NodeJS.ProcessEnv }) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = launch([...operatorCommand, ...args], env);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function launch([file = '', ...args]: string[], env: NodeJS.ProcessEnv, clone = root) {
  // a package must need nothing of the clone
  return spawn(file, args, { cwd: installed ? tmpdir() : clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function isReady(origin: string) {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}
