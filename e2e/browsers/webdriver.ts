import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fontEnvironment } from '../fonts.ts';
import { freePort } from '../../.tools/free-port.ts';

/** WebDriver commands with their path over HTTP. Firefox takes the same commands, with the same parameters, by name. */
const commands = {
  'WebDriver:SetWindowRect': 'POST /window/rect',
  'WebDriver:Navigate': 'POST /url',
  'WebDriver:ExecuteScript': 'POST /execute/sync',
  'WebDriver:PerformActions': 'POST /actions',
  'WebDriver:TakeScreenshot': 'GET /screenshot',
} as const;
type Command = keyof typeof commands;

export interface WebDriver extends AsyncDisposable {
  /** Name and version. */
  browser: string;
  /** Runs one command. Throws with the browser's message if it fails. */
  send(command: Command, parameters?: object): Promise<unknown>;
}

interface Capabilities {
  browserName: string;
  browserVersion: string;
}

const size = { width: 1440, height: 900 };
const startLimit = 60_000;

/**
 * Starts Firefox without a window. It is driven through Marionette, the protocol behind geckodriver, because Debian has
 * no geckodriver: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
export async function startFirefox(program: string): Promise<WebDriver> {
  const home = await mkdtemp(join(tmpdir(), 'swarmdeck-firefox-'));
  // port 0: any free port, which Firefox writes into its profile
  const preferences = [
    '"marionette.port", 0',
    '"app.update.disabledForTesting", true',
    '"intl.locale.requested", "en-GB"',
  ];
  writeFileSync(join(home, 'user.js'), preferences.map((preference) => `user_pref(${preference});\n`).join(''));
  const firefox = start(program, ['--headless', '--marionette', '--no-remote', '--profile', home], {
    HOME: home,
    MOZ_HEADLESS_WIDTH: String(size.width),
    MOZ_HEADLESS_HEIGHT: String(size.height),
  });
  const portFile = join(home, 'MarionetteActivePort');
  await until('Firefox listens', () => existsSync(portFile) && readFileSync(portFile).length > 0);
  const marionette = connectMarionette(Number(readFileSync(portFile, 'utf8')));
  const session = (await marionette.call('WebDriver:NewSession', { acceptInsecureCerts: true })) as {
    capabilities: Capabilities;
  };
  return {
    browser: nameOf(session.capabilities),
    async send(command, parameters = {}) {
      const result = await marionette.call(command, parameters);
      return (result as { value?: unknown } | null)?.value;
    },
    async [Symbol.asyncDispose]() {
      marionette.close();
      await end(firefox);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts WebKitGTK's MiniBrowser on a virtual screen. It is driven by WebDriver over HTTP. */
export async function startWebKit({ driver, display }: { driver: string; display: string }): Promise<WebDriver> {
  const home = await mkdtemp(join(tmpdir(), 'swarmdeck-webkit-'));
  const screen = spawn(
    display,
    ['-displayfd', '3', '-screen', '0', `${size.width}x${size.height}x24`, '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const number = await firstLine(screen.stdio[3] as Readable);
  const port = await freePort();
  const service = start(driver, [`--port=${port}`], {
    HOME: home,
    DISPLAY: `:${number}`,
    GDK_BACKEND: 'x11',
    // a browser language that is not a valid tag: the map must have names all the same
    LANG: 'C.UTF-8',
    LIBGL_ALWAYS_SOFTWARE: '1',
  });
  const origin = `http://127.0.0.1:${port}`;
  await until('WebKitWebDriver answers', () =>
    fetch(`${origin}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const session = (await http(`POST ${origin}/session`, {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
  })) as { sessionId: string; capabilities: Capabilities };
  const send: WebDriver['send'] = (command, parameters = {}) => {
    const [method, path] = commands[command].split(' ');
    return http(`${method} ${origin}/session/${session.sessionId}${path}`, parameters);
  };
  await send('WebDriver:SetWindowRect', { x: 0, y: 0, ...size });
  return {
    browser: nameOf(session.capabilities),
    send,
    async [Symbol.asyncDispose]() {
      await http(`DELETE ${origin}/session/${session.sessionId}`).catch(() => undefined);
      await end(service);
      await end(screen);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const nameOf = ({ browserName, browserVersion }: Capabilities) => `${browserName} ${browserVersion}`;

/** Sends `METHOD url`. WebDriver answers `{ value }`, and in case of an error `{ value: { error, message } }`. */
async function http(request: string, parameters?: object): Promise<unknown> {
  const [method = '', url = ''] = request.split(' ');
  const response = await fetch(url, {
    method,
    ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    signal: AbortSignal.timeout(startLimit),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${request}: ${(value as { message: string }).message}`);
  return value;
}

/** A message is its length in bytes, a colon and JSON: `[0, id, command, parameters]` or `[1, id, error, result]`. */
function connectMarionette(port: number) {
  const socket = connect(port, '127.0.0.1');
  const pending = new Map<number, (answer: [unknown, unknown]) => void>();
  const closed = new Promise<never>((_, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Firefox has ended')));
  });
  closed.catch(() => undefined);
  let received: Buffer = Buffer.alloc(0);
  let lastId = 0;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const colon = received.indexOf(':');
      const finish = colon + 1 + Number(received.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || received.length < finish) return;
      const message: unknown = JSON.parse(received.subarray(colon + 1, finish).toString());
      received = received.subarray(finish);
      // the first message is a greeting
      if (Array.isArray(message)) pending.get(Number(message[1]))?.([message[2], message[3]]);
    }
  });
  return {
    async call(command: string, parameters: object): Promise<unknown> {
      lastId += 1;
      const answer = new Promise<[unknown, unknown]>((resolve) => pending.set(lastId, resolve));
      const message = JSON.stringify([0, lastId, command, parameters]);
      socket.write(`${Buffer.byteLength(message)}:${message}`);
      const [error, result] = await Promise.race([answer, closed]);
      if (error) throw new Error(`${command}: ${(error as { message: string }).message}`);
      return result;
    },
    close: () => void socket.destroy(),
  };
}

function start(program: string, args: string[], env: Record<string, string>) {
  return spawn(program, args, { env: { ...fontEnvironment(), ...env }, stdio: 'ignore' });
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 5000);
  await closed;
  clearTimeout(stubborn);
}

async function firstLine(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('\n')) return text.trim();
  }
  throw new Error('The virtual screen did not start.');
}

/** Asks until the answer is true; throws what was expected after a minute. */
export async function until<T>(what: string, ask: () => T | Promise<T>, limit = startLimit): Promise<NonNullable<T>> {
  const deadline = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${limit / 1000} s: ${what}`);
    await wait(100);
  }
}
