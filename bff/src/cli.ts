/**
 * The operator's commands. Standard output has only their results; messages go to standard error. Exit status: 0 done,
 * 1 failed, 2 done but rows were refused. Entry point: no module imports it.
 */
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CommandError, UsageError, type Command as CommandOfCapability } from './core/command.ts';
import type { Definition } from './core/capability.ts';
import { ConfigError, readConfig } from './core/config/config.ts';
import { deviceFiles, type DeviceFormat } from './core/resources/device-export.ts';
import { clone, version } from './installation.ts';
import { recordCommands } from './capabilities/operator/record-commands.ts';
import { codePoints, limits, unprintable, visible } from './core/limits/field-rules.ts';
import { openOperator, requireDatabase } from './open-operator.ts';
import { Problem } from './core/problem.ts';
import { StorageError } from './core/store/statement.ts';

/** The commands of capabilities. Loaded only for one of them, or for the list of all. */
async function commandsOfCapabilities(): Promise<Record<string, CommandOfCapability>> {
  const capabilities = await import('./capabilities.ts');
  return Object.assign({}, ...Object.values<Definition>(capabilities).map(({ commands }) => commands)) as Record<
    string,
    CommandOfCapability
  >;
}

async function usage(): Promise<string> {
  const others = Object.entries(await commandsOfCapabilities()).map(
    ([
      name,
      {
        usage: [takes, does],
      },
    ]) => `  ${`${name} ${takes}`.padEnd(40)}${does}\n`,
  );
  return `Commands:
  start                                   serves
  user add NAME [--password-stdin]        adds a user
  user password NAME [--password-stdin]   sets a password and ends all sessions
  user list [--disabled] [--json]         lists all users, or the disabled ones
  user show NAME [--json]                 shows a user
  user link NAME [--json]                 prints an address where the user chooses a new password, for one hour
  user remove-app NAME                    removes the authenticator app of a user and ends all sessions
  user disable NAME                       ends all access of a user; devices and swarms stay
  user enable NAME                        the user can sign in again, and API keys work again
  user role NAME operator | none          gives a user the page with all users, or takes it away
  user delete NAME --yes                  deletes an account with its devices and swarms
  user sign-out NAME | --all              ends all sessions of a user, or of all users
  key create --user NAME [--name LABEL]   prints a new API key
  key create --device ID [--name LABEL]   prints a new key that acts only for this device
  key list --user NAME [--json]           lists the API keys of a user
  key revoke ID                           revokes an API key
  limits [--user NAME] [--json]           shows rates and quotas, and what a user has of them
  stats [--json]                          counts users, devices, swarms and more
  doctor [--json]                         examines the setup; exits with 1 if something is wrong
${others.join('')}  export --user NAME [--format csv|geojson]   writes all devices to standard output
  backup FILE                             copies the SQLite database, also while the server runs
  restore FILE [--new-secret]             replaces the SQLite database by a backup; stop the server first
  restore --adopt [--new-secret]          brings a database into use that was copied in another way
  vacuum                                  gives unused space of the SQLite file back; stop the server first
  move --to postgres://...                copies the SQLite database into an empty PostgreSQL database

--help prints this, --version the version.
`;
}

const fileFaults: Record<string, string> = {
  ENOENT: 'file not found',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
};

// As the server does, because a command may create files, such as a backup.
process.umask(0o077);

/** With a smaller young generation, 10,000 idle streams need 360 MB. `npm start` has the same option. */
const smallHeap = '--max-semi-space-size=16';

class Cancelled extends Error {}
const clearLine = process.stderr.isTTY ? '\r\u001b[2K' : '';

const { positionals, values } = await readArguments();
const [noun = '', verb = '', ...rest] = positionals;
interface Command {
  takes: readonly string[];
  run(): Promise<number>;
}
const commands: Record<string, Command> = {
  start: { takes: [], run: start },
  'user add': { takes: ['password-stdin'], run: () => withPassword((operator, given) => operator.addUser(given)) },
  'user password': {
    takes: ['password-stdin'],
    run: () => withPassword((operator, given) => operator.setPassword(given)),
  },
  'key create': { takes: ['user', 'device', 'name'], run: createKey },
  export: { takes: ['user', 'format'], run: exportFile },
  backup: { takes: [], run: backup },
  restore: { takes: ['adopt', 'new-secret'], run: restore },
  vacuum: { takes: [], run: vacuum },
  move: { takes: ['to'], run: move },
  ...Object.fromEntries(
    Object.entries(recordCommands).map(([name, { options = [], text }]) => [
      name,
      { takes: [...options, ...(text ? ['json'] : [])], run: () => askOnce(name) },
    ]),
  ),
};

try {
  process.exitCode = await runCommand();
} catch (error) {
  process.stderr.write(`${await sentenceOf(error)}\n`);
  process.exitCode = 1;
}

async function runCommand(): Promise<number> {
  if (values.help) {
    process.stdout.write(await usage());
    return 0;
  }
  if (values.version) {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const name = [noun, `${noun} ${verb}`].find((called) => Object.hasOwn(commands, called));
  const { takes, run } = name === undefined ? await commandOfCapability() : commands[name]!;
  const needless = Object.keys(values).find((option) => !takes.includes(option));
  if (needless) throw new UsageError(`${name ?? noun} has no option --${needless}`);
  return run();
}

async function commandOfCapability(): Promise<Command> {
  const { [noun]: command } = noun === '' ? {} : await commandsOfCapabilities();
  if (!command) throw new UsageError(positionals.length > 0 ? `Unknown command: ${positionals.join(' ')}` : '');
  return { ...command, run: () => command.run({ args: positionals.slice(1), options: values, connect }) };
}

async function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        device: { type: 'string' },
        name: { type: 'string' },
        format: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        remove: { type: 'boolean' },
        json: { type: 'boolean' },
        yes: { type: 'boolean' },
        disabled: { type: 'boolean' },
        all: { type: 'boolean' },
        to: { type: 'string' },
        adopt: { type: 'boolean' },
        'new-secret': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${await usage()}`);
    return process.exit(1);
  }
}

/** Becomes the server. As a new process, because Node reads the limits of its heap only when it starts. */
async function start(): Promise<number> {
  if (positionals.length > 1) throw new UsageError('start takes nothing: settings are environment variables');
  const main = new URL('./main.ts', import.meta.url);
  // There is none on Windows.
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, smallHeap, fileURLToPath(main)]);
  await import(main.href);
  return 0;
}

function connect() {
  return openOperator(readConfig({ env: process.env, clone }));
}

async function askOnce(name: string): Promise<number> {
  const { takes, ask, text: linesOf, isFailure } = recordCommands[name]!;
  const args = positionals.slice(name.split(' ').length);
  const asked = ask(args, values);
  if (!asked) throw new UsageError(`${name} takes ${takes}`);
  await using connection = await connect();
  const result = await asked(connection.operator);
  if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else if (linesOf) process.stdout.write(`${linesOf(result).join('\n')}\n`);
  return isFailure?.(result) ? 1 : 0;
}

async function withPassword(
  act: (
    operator: Awaited<ReturnType<typeof connect>>['operator'],
    given: { name: string; password: string },
  ) => Promise<void>,
): Promise<number> {
  const name = rest[0];
  if (!name || rest.length > 1) throw new UsageError(`user ${verb} takes one NAME`);
  const password = values['password-stdin'] ? (await text(process.stdin)).replace(/\r?\n$/, '') : await askPassword();
  await using connection = await connect();
  await act(connection.operator, { name, password });
  return 0;
}

async function createKey(): Promise<number> {
  const { user, device, name = 'command line' } = values;
  if (!user === !device || rest.length > 0) throw new UsageError('key create takes --user NAME or --device ID');
  if (!isName(name)) {
    throw new UsageError(`--name takes 1 to ${limits.nameLength} characters, at least one of them visible`);
  }
  await using connection = await connect();
  const { operator } = connection;
  const { key } = await (device
    ? operator.createDeviceKey({ device, name })
    : operator.createKey({ user: user!, name }));
  process.stdout.write(`${key}\n`);
  return 0;
}

async function exportFile(): Promise<number> {
  const { user, format = 'csv' } = values;
  if (!user || positionals.length > 1) throw new UsageError('export takes --user NAME');
  if (!Object.hasOwn(deviceFiles, format)) throw new UsageError('--format takes csv or geojson');
  await using connection = await connect();
  const chunks = await connection.operator.exportDevices({ user, format: format as DeviceFormat });
  // Waits for a slow reader, and stops if the reader has gone, as in `export | head`.
  await pipeline(chunks, process.stdout, { end: false });
  return 0;
}

async function move(): Promise<number> {
  const { to } = values;
  if (!to || positionals.length > 1) throw new UsageError('move takes --to postgres://user:password@host/database');
  const { databaseUrl, dataDir } = readConfig({ env: process.env, clone });
  if (!databaseUrl.startsWith('file:') || !/^postgres(ql)?:/.test(to)) {
    throw new UsageError('move copies from a SQLite file, the one that DATABASE_URL names, to PostgreSQL');
  }
  await requireDatabase({ databaseUrl, dataDir });
  // Only this command needs it.
  const { moveDatabase } = await import('./core/store/move-to-postgres.ts');
  let copied = 0;
  const { rows } = await moveDatabase({
    from: databaseUrl,
    to,
    onProgress({ step, table, rows }) {
      if (step === 'compared') process.stderr.write(`${clearLine}${table}: ${format(rows)} rows are equal\n`);
      else if (process.stderr.isTTY) process.stderr.write(`${clearLine}${format((copied += rows))} rows copied`);
    },
  });
  process.stderr.write(
    `${format(rows)} rows moved. Set DATABASE_URL to the new address, and keep SECRET: the one in the data folder if none is set\n`,
  );
  return 0;
}

async function backup(): Promise<number> {
  const file = verb;
  if (!file || rest.length > 0) throw new UsageError('backup takes one FILE');
  const { databaseUrl, secret, dataDir } = readConfig({ env: process.env, clone });
  if (!databaseUrl.startsWith('file:')) throw new UsageError('backup copies a SQLite database. Use pg_dump -Fc here');
  await requireDatabase({ databaseUrl, dataDir });
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // Only this command needs it.
  const { backUpFile } = await import('./core/store/sqlite/backup.ts');
  const { counts, users, bytes } = backUpFile({ url: databaseUrl, file });
  const secretIn = secret === undefined ? `the file ${join(dataDir, 'secret')}` : 'SECRET';
  process.stderr.write(
    `${file}: ${format(Math.ceil(bytes / 1e6))} MB, ${format(users)} users, ${format(counts['resources'] ?? 0)} devices\n` +
      `It is not complete without ${secretIn}: keep a copy of that in another place\n`,
  );
  return 0;
}

async function vacuum(): Promise<number> {
  if (positionals.length > 1) throw new UsageError('vacuum takes nothing');
  const { databaseUrl, dataDir } = readConfig({ env: process.env, clone });
  if (!databaseUrl.startsWith('file:')) {
    process.stderr.write('Nothing to do: PostgreSQL uses freed space again by itself (autovacuum)\n');
    return 0;
  }
  await requireDatabase({ databaseUrl, dataDir });
  // Only this command needs it.
  const { vacuumFile } = await import('./core/store/sqlite/vacuum.ts');
  const { before, after } = vacuumFile({ url: databaseUrl });
  const megabytes = (bytes: number) => `${format(Math.ceil(bytes / 1e6))} MB`;
  process.stderr.write(`The database file has ${megabytes(after)}; it had ${megabytes(before)}\n`);
  return 0;
}

async function restore(): Promise<number> {
  const file = verb || undefined;
  const { adopt, 'new-secret': isSecretNew = false } = values;
  if (!file === !adopt || rest.length > 0) throw new UsageError('restore takes one FILE, or --adopt');
  const config = readConfig({ env: process.env, clone });
  if (file && !config.databaseUrl.startsWith('file:'))
    throw new UsageError('restore FILE is for SQLite. Use pg_restore here, and then restore --adopt');
  if (adopt) await requireDatabase(config);
  // Only this command needs it.
  const backups = await import('./capabilities/backup/restore.ts');
  const lines = await backups.restore({ config, file, isSecretNew, now: () => new Date() });
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** Reads a password from the terminal without echo. */
function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for the password. Use --password-stdin');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now, because the terminal echoes until the interface is active.
  process.stderr.write('Password: ');
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => resolve(line));
    // Ctrl-C and Ctrl-D
    lines.once('close', () => reject(new Cancelled('Nothing was changed')));
  }).finally(() => {
    lines.close();
    process.stderr.write('\n');
  }) as Promise<string>;
}

function isName(text: string) {
  return codePoints(text) <= limits.nameLength && visible.test(text) && !unprintable.test(text);
}

function format(count: number) {
  return count.toLocaleString('en');
}

async function sentenceOf(error: unknown): Promise<string> {
  if (error instanceof UsageError) return `${error.message}\n${await usage()}`.trimStart();
  const fault = fileFaults[(error as NodeJS.ErrnoException).code ?? ''];
  if (fault) return `${(error as NodeJS.ErrnoException).path ?? verb}: ${fault}`;
  const expected =
    error instanceof Cancelled ||
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StorageError ||
    error instanceof Problem;
  const { message, stack, code } = error as NodeJS.ErrnoException;
  return expected || code !== undefined ? message : (stack ?? message);
}
