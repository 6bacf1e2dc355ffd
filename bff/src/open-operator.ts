import { existsSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { socketName, type Config } from './core/config/config.ts';
import { secretsOf } from './core/config/stored-secret.ts';
import type { Problem as ProblemBody, ProblemCode } from './contract.ts';
import { createLog } from './core/log.ts';
import type { Operator } from './capabilities/operator/operator.ts';
import { Problem } from './core/problem.ts';
import { createIdSource } from './core/store/new-id.ts';
import { StorageError } from './core/store/statement.ts';

const creation = 'The server creates what is missing at its first start';

/**
 * Only the server creates a database: a command that did would hide a wrong folder or address.
 * @throws StorageError if the file of SQLite does not exist, or the database of PostgreSQL has no tables
 */
export async function requireDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseDirectUrl'>>,
): Promise<void> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (!databaseUrl.startsWith('file:')) {
    const { hasTables } = await import('./core/store/postgres/migrate.ts');
    if (await hasTables({ url: databaseDirectUrl ?? databaseUrl })) return;
    throw new StorageError('away', `DATABASE_URL: the database has no tables of Swarmdeck. ${creation}`);
  }
  const file = fileURLToPath(databaseUrl);
  const setting = dirname(file) === dataDir ? 'DATA_DIR' : 'DATABASE_URL';
  if (!existsSync(file)) throw new StorageError('away', `${setting}: there is no database ${file}. ${creation}`);
}

/** @throws StorageError if the secret is to be in the data folder, and is not there */
function requireSecretFile({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): void {
  const file = join(dataDir, 'secret');
  if (secret === undefined && !existsSync(file))
    throw new StorageError(
      'away',
      `DATA_DIR: there is no file ${file}. ${creation}; if the server has SECRET, set it for this command, too`,
    );
}

/** The operator of the running server on this data folder, or a local one on the file if no server runs. */
export async function openOperator(config: Config): Promise<{ operator: Operator } & AsyncDisposable> {
  const path = join(config.dataDir, socketName);
  if (await answers(path)) return { operator: remoteOperator(path), [Symbol.asyncDispose]: async () => {} };

  await requireDatabase(config);
  requireSecretFile(config);
  // Lazy imports, which save half a second for commands through a running server.
  const [{ createApp }, { openStore }] = await Promise.all([import('./app.ts'), import('./core/store/open.ts')]);
  const now = () => new Date();
  const log = createLog({ level: 'error', now, write: (line) => process.stderr.write(line) });
  const secrets = secretsOf(config);
  const db = await openStore({ url: config.databaseUrl, directUrl: config.databaseDirectUrl });
  const publicUrl = config.publicUrl ?? 'http://localhost';
  const app = await createApp({
    config,
    publicUrl,
    secrets,
    db,
    siteFolder: undefined,
    isCommand: true,
    log,
    now,
    newId: createIdSource(),
  });
  return {
    operator: app.operator,
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.close();
    },
  };
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.on('connect', () => socket.end());
    socket.on('error', () => resolve(false));
  });
}

function remoteOperator(path: string): Operator {
  const ask = (command: keyof Operator) => (given: object) => post(path, command, given) as Promise<never>;
  return {
    addUser: ask('addUser'),
    setPassword: ask('setPassword'),
    listUsers: ask('listUsers'),
    showUser: ask('showUser'),
    disableUser: ask('disableUser'),
    enableUser: ask('enableUser'),
    createLink: ask('createLink'),
    removeApp: ask('removeApp'),
    setRole: ask('setRole'),
    deleteUser: ask('deleteUser'),
    signOut: ask('signOut'),
    signOutAll: () => ask('signOutAll')({}),
    createKey: ask('createKey'),
    createDeviceKey: ask('createDeviceKey'),
    listKeys: ask('listKeys'),
    revokeKey: ask('revokeKey'),
    readLimits: ask('readLimits'),
    readStats: () => ask('readStats')({}),
    examine: () => ask('examine')({}),
    beginImport: ask('beginImport'),
    putImportPart: ask('putImportPart'),
    startImport: ask('startImport'),
    stopImport: ask('stopImport'),
    readImport: ask('readImport'),
    readFailedLines: ask('readFailedLines'),
    endImport: ask('endImport'),
    exportDevices: async (given) => (await send(path, 'exportDevices', given)).setEncoding('utf8'),
    call: ask('call'),
  };
}

async function post(socketPath: string, command: string, given: object): Promise<unknown> {
  return JSON.parse(await text(await send(socketPath, command, given))) as unknown;
}

/** Returns the response with its body unread. */
async function send(socketPath: string, command: string, given: object): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      { socketPath, path: `/${command}`, method: 'POST', headers: { 'content-type': 'application/json' } },
      resolve,
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(given));
  });
  if (answer.statusCode === 200) return answer;
  const { code, detail } = JSON.parse(await text(answer)) as ProblemBody;
  throw new Problem(code as ProblemCode, { detail });
}
