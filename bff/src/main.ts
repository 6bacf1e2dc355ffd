/** The entry point: env -> config -> database -> app -> listen -> signals. No module imports it. */
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createApp, type App } from './app.ts';
import * as capabilities from './capabilities.ts';
import { openCapabilities } from './core/capability.ts';
import { findNewestBackup } from './capabilities/backup/backups.ts';
import { ConfigError, readConfig, socketName } from './core/config/config.ts';
import { maskPasswords } from './core/config/mask-passwords.ts';
import { secretsOf } from './core/config/stored-secret.ts';
import { clone, root, version } from './installation.ts';
import { hourMs } from './core/limits/durations.ts';
import { createLog, createOutput, createReport, createRequestLine } from './core/log.ts';
import { connectionFault } from './capabilities/operator/doctor.ts';
import { operatorRoutes } from './capabilities/operator/operator.ts';
import type { AnsweredRequest } from './core/http/request-bindings.ts';
import { connectionAddresses } from './core/http/client-address.ts';
import { createConnections } from './core/http/connections.ts';
import { connectionLimits } from './core/limits/operation-limits.ts';
import { addressOf, attach, listen, stop } from './core/http/server.ts';
import { shareNextRun } from './core/limits/share-next-run.ts';
import { createUnsentBytes } from './core/http/unsent-bytes.ts';
import { createIdSource } from './core/store/new-id.ts';
import { openStore } from './core/store/open.ts';
import { StorageError } from './core/store/statement.ts';

// Files are readable by their owner only, even in a data folder that others can read.
process.umask(0o077);
const tidyEveryMs = hourMs;

async function start() {
  const config = readConfig({ env: process.env, clone, capabilities });
  const now = () => new Date();
  const output = createOutput((text) => process.stderr.write(text));
  process.once('exit', output.flush);
  const log = createLog({ level: config.logLevel, now, write: output.write });
  const opened = await openCapabilities(capabilities, config.ofCapabilities, { version });
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = config.databaseUrl.startsWith('file:') ? fileURLToPath(config.databaseUrl) : undefined;
  const isNew = file !== undefined && !existsSync(file);
  const secrets = secretsOf(config);
  const report = createReport(log);
  const newestBackup = config.backup && (await findNewestBackup(config.backup.folder))?.file;
  const outdated = Promise.withResolvers<StorageError>();
  const db = await openStore({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    report,
    newestBackup,
    onOutdated: outdated.resolve,
  });
  if (isNew) log.info('created a new database', { file });

  const counted = createConnections({
    most: connectionLimits,
    ...connectionAddresses(config.trustedProxies),
    warn: log.warn,
  });
  const server = await listen({ port: config.port, host: config.host }, { counted });
  const publicUrl = config.publicUrl ?? addressOf(config, server.address() as AddressInfo);
  const site = join(root, 'web/dist');
  const siteFolder = existsSync(join(site, 'index.html')) ? site : undefined;
  const program = fileURLToPath(new URL('./cli.ts', import.meta.url));
  const newId = createIdSource();
  const writeLine = createRequestLine({
    which: config.logRequests,
    level: config.logLevel,
    now,
    write: output.writeSoon,
  });
  let running: App | undefined;
  const onAnswered = (request: AnsweredRequest) => {
    running?.onAnswered(request);
    writeLine?.(request);
  };
  const unsent = createUnsentBytes();
  const creating = createApp({
    config,
    publicUrl,
    secrets,
    db,
    siteFolder,
    opened,
    program,
    unsent: unsent.measure,
    log,
    now,
    newId,
  });
  // At once, because requests may arrive already.
  attach({ server, app: creating, publicUrl, report, newId, unsent, onAnswered });
  const app = (running = await creating);
  app.warm();

  const doors = await app.start();
  const operatorServer = await serveOperator({ dataDir: config.dataDir, operator: app.operator, report, newId });

  const tidy = shareNextRun(app.tidy);
  const tidying = setInterval(() => void tidy(), tidyEveryMs);
  void tidy();
  let stopping = false;
  const shutDown = async () => {
    if (stopping) return;
    stopping = true;
    clearInterval(tidying);
    const stopped = [server, operatorServer].map(stop);
    app.endStreams();
    await Promise.all(stopped);
    await app.close();
    await db.close();
    process.exit();
  };
  process.on('SIGTERM', () => void shutDown());
  process.on('SIGINT', () => void shutDown());
  void outdated.promise.then(({ message }) => {
    log.error('ends', { reason: message });
    // Nothing can be stored any more, so a module may fail.
    process.exitCode = 1;
    return shutDown().catch(() => process.exit());
  });

  if (!siteFolder) log.warn('the web app is not built: only the endpoints are served');
  const fault = connectionFault(config.databaseUrl);
  if (fault !== undefined) log.warn('the connection to the database is not protected', { reason: fault });
  log.info('listening', { url: publicUrl, data: config.dataDir, ...doors.urls });
  // After it listens for signals: who reads the address may stop it at once.
  for (const line of doors.lines) process.stdout.write(`${line}\n`);
  if (process.stdout.isTTY || config.logLevel !== 'silent') process.stdout.write(`Swarmdeck is at ${publicUrl}\n`);
}

/** The commands of the operator come by a socket in the data folder, which only the user of the process can use. */
async function serveOperator(options: { dataDir: string } & Parameters<typeof operatorRoutes>[0]) {
  const { dataDir, ...parts } = options;
  const socket = join(dataDir, socketName);
  rmSync(socket, { force: true });
  const server = await listen({ path: socket });
  chmodSync(socket, 0o600);
  const operate = getRequestListener(operatorRoutes(parts).fetch);
  server.on('request', (request, response) => void operate(request, response));
  return server;
}

try {
  await start();
} catch (error) {
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  // A stack does not help with a system error (a folder, an address).
  const expected = error instanceof ConfigError || error instanceof StorageError || syscall !== undefined;
  const sentence = code === 'EADDRINUSE' ? 'The port is in use: set another PORT' : expected ? message : stack;
  process.stderr.write(`Swarmdeck did not start. ${maskPasswords(String(sentence))}\n`);
  process.exit(1);
}
