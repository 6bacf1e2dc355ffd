import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dayMs } from '../limits/durations.ts';
import { readMailSettings, type MailSettings } from './mail-settings.ts';
import { hasProviderSettings, readOidcProviders, type OidcProvider } from './oidc-settings.ts';
import { maskPasswords } from './mask-passwords.ts';
import { readSecretFile } from './secret-file.ts';
import {
  isPostgres,
  megabyte,
  oneOf,
  readCount,
  readDatabaseUrl,
  readFactor,
  readInterval,
  readMegabytes,
  readOrigin,
  readOrigins,
  readPort,
  readPostgresUrl,
  readProxies,
  type Address,
  type Network,
} from './setting-values.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
/** Which requests have a log line: those that failed, also those that took over a second, or all. */
const logRequests = ['failed', 'slow', 'all'] as const;
export type LogRequests = (typeof logRequests)[number];
/** The socket of a running server in the data folder, for the operator's commands. */
export const socketName = 'swarmdeck.sock';
/** In bytes: the limit for the path of a Unix socket on macOS, 4 less than on Linux. */
const socketPathAtMost = 103;
export const secretLength = 32;

export interface Config {
  port: number;
  host: string;
  /** The public origin of this server; undefined: the address that it listens on. */
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string;
  /** The address of the PostgreSQL database without a pooler, if `databaseUrl` is the address of one. */
  databaseDirectUrl: string | undefined;
  /** Undefined: created at the first start and stored in the data folder. */
  secret: string | undefined;
  /** Another secret whose cookies, links and encrypted rows are still accepted. */
  secretBefore: string | undefined;
  signUp: 'open' | 'closed';
  /** After how long a session ends without use, and in any case. Undefined: as accounts/ has it. */
  sessionIdleMs: number | undefined;
  sessionMaxMs: number | undefined;
  oidcProviders: OidcProvider[];
  /** Whether passwords are switched off. Needs a provider. */
  oidcOnly: boolean;
  /** Undefined if the server sends no mail. */
  mail: MailSettings | undefined;
  /** Whether a session without a second factor can only set one up. */
  secondFactor: 'optional' | 'required';
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  /** The factor of all quotas; Infinity for none. */
  quotas: number;
  /** In bytes: what the messages of all users may have; Infinity for no limit. */
  messageBytes: number;
  logLevel: LogLevel;
  logRequests: LogRequests;
  /** Networks whose X-Forwarded-For is trusted. */
  trustedProxies: Network[];
  /** The origins whose pages may use the service with a key. */
  corsOrigins: string[];
  /** Undefined if there are no regular backups. */
  backup: BackupPlan | undefined;
  /** The settings of capabilities, by their names. */
  ofCapabilities: Readonly<Record<string, unknown>>;
}

/** Where settings are read from. `fault` notes what is wrong with several of them. */
export interface SettingSource {
  setting: ReturnType<typeof settingsOf>;
  fault: (text: string) => void;
}

/** Regular backups of a SQLite database. `keep`: how many there are in the folder. */
export interface BackupPlan {
  folder: string;
  everyMs: number;
  keep: number;
}

/** Lists all invalid settings. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`These settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError if the address of this setting cannot be used */
export async function openAddress<T>(setting: string, address: Address, open: (address: Address) => Promise<T>) {
  try {
    return await open(address);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const { host, port } = address;
    const given = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    throw new ConfigError([`${setting}="${given}": ${code === 'EADDRINUSE' ? 'the address is in use' : message}`]);
  }
}

type Env = Record<string, string | undefined>;

/**
 * Reads the environment. Without DATA_DIR, data is stored in the folder of systemd's STATE_DIRECTORY, or in `clone`.
 * Without a clone, one of both is required. A relative DATA_DIR is resolved against `clone` or the working directory.
 * @throws ConfigError
 */
export function readConfig({
  env,
  clone,
  capabilities = {},
}: {
  env: Env;
  clone: string | undefined;
  /** Those whose settings are read too. */
  capabilities?: Readonly<
    Record<
      string,
      { readSettings?: (source: SettingSource) => unknown; create?: unknown; commands?: unknown; way?: unknown }
    >
  >;
}): Config {
  const faults: string[] = [];
  const setting = settingsOf(env, faults);
  const fault = (text: string) => void faults.push(text);
  const dataDir = readDataDir(env, { clone, faults });
  const ownDatabase = pathToFileURL(join(dataDir, 'swarmdeck.db')).href;
  const config: Config = {
    port: setting('PORT', 3000, readPort, 'a port, 0 to 65535'),
    host: setting('HOST', '127.0.0.1', (text) => (/\s/.test(text) ? undefined : text), 'a host name or address'),
    publicUrl: setting(
      'PUBLIC_URL',
      undefined,
      readOrigin,
      'an origin without a path, like https://devices.example.org',
    ),
    dataDir,
    databaseUrl: setting(
      'DATABASE_URL',
      ownDatabase,
      readDatabaseUrl,
      'an absolute file: address like file:///srv/swarmdeck.db, or postgres://user:password@host/database',
    ),
    databaseDirectUrl: setting(
      'DATABASE_DIRECT_URL',
      undefined,
      readPostgresUrl,
      'postgres://user:password@host/database',
    ),
    secret: readSecret(env, { name: 'SECRET', faults }),
    secretBefore: readSecret(env, { name: 'SECRET_BEFORE', faults }),
    signUp: setting('SIGN_UP', 'open', oneOf(['open', 'closed'] as const), 'open or closed'),
    sessionIdleMs: setting('SESSION_IDLE', undefined, readInterval, 'hours or days, like 12h or 7d'),
    sessionMaxMs: setting('SESSION_MAX', undefined, readInterval, 'hours or days, like 12h or 7d'),
    oidcProviders: readOidcProviders(env, faults),
    oidcOnly: setting('OIDC_ONLY', 'off', oneOf(['on', 'off'] as const), 'on or off') === 'on',
    mail: readMailSettings(env, { faults }),
    secondFactor: setting(
      'SECOND_FACTOR',
      'optional',
      oneOf(['optional', 'required'] as const),
      'optional or required',
    ),
    rateLimit: setting('RATE_LIMIT', 1, readFactor, 'on, off or a factor above 0'),
    quotas: setting('QUOTAS', 1, readFactor, 'on, off or a factor above 0'),
    messageBytes: setting('MESSAGES_MB', 10_000 * megabyte, readMegabytes, 'off or a number of megabytes above 0'),
    logLevel: setting('LOG_LEVEL', 'info', oneOf(logLevels), logLevels.join(', ')),
    logRequests: setting('LOG_REQUESTS', 'failed', oneOf(logRequests), logRequests.join(', ')),
    trustedProxies: setting(
      'TRUSTED_PROXIES',
      [],
      readProxies,
      'addresses, or networks like 172.16.0.0/12, with commas between them, or loopback',
    ),
    corsOrigins: setting(
      'CORS_ORIGINS',
      [],
      readOrigins,
      'origins like https://board.example.org, with commas between them, and no * or null',
    ),
    backup: backupPlan({
      folder: setting(
        'BACKUP_DIR',
        undefined,
        (text) => (isAbsolute(text) ? text : undefined),
        'the absolute path of a folder',
      ),
      everyMs: setting('BACKUP_EVERY', dayMs, readInterval, 'hours or days, like 12h or 7d'),
      keep: setting('BACKUP_KEEP', 7, readCount, 'a whole number above 0'),
    }),
    ofCapabilities: Object.fromEntries(
      Object.entries(capabilities).map(([name, { readSettings }]) => [name, readSettings?.({ setting, fault })]),
    ),
  };
  faults.push(...faultsOfCombinations(config, env));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Returns a function that reads a setting, with a fallback if it is not set. It notes a setting that cannot be read. */
const settingsOf =
  (env: Env, faults: string[]) =>
  <T>(name: string, fallback: T, read: (text: string) => T | undefined, takes: string): T => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = read(text);
    if (value === undefined) faults.push(`${name}=${JSON.stringify(shown(name, text))}: takes ${takes}`);
    return value ?? fallback;
  };

function readDataDir(env: Env, { clone, faults }: { clone: string | undefined; faults: string[] }): string {
  const stateDirectory = env['STATE_DIRECTORY']?.split(':')[0];
  const folder = env['DATA_DIR'] || stateDirectory || (clone && 'data');
  if (!folder) faults.push('DATA_DIR: must be set to the folder for everything that is stored');
  const dataDir = resolve(clone ?? '', folder || 'data');
  if (Buffer.byteLength(join(dataDir, socketName)) > socketPathAtMost) {
    const most = socketPathAtMost - socketName.length - 1;
    faults.push(`DATA_DIR=${JSON.stringify(dataDir)}: takes a path of ${most} bytes at most: a Unix socket is in it`);
  }
  return dataDir;
}

/** A secret is in a setting of this name, or in a file. */
function readSecret(env: Env, { name, faults }: { name: 'SECRET' | 'SECRET_BEFORE'; faults: string[] }) {
  const setting = settingsOf(env, faults);
  const file = `${name}_FILE`;
  if (env[name] && env[file]) faults.push(`${file}: only one of it and ${name} can be set`);
  return (
    setting(name, undefined, longEnough, `at least ${secretLength} characters`) ??
    setting(
      file,
      undefined,
      (path) => longEnough(readSecretFile(path) ?? ''),
      `a readable file with at least ${secretLength} characters`,
    )
  );
}

/** Settings that exclude each other, or need each other. One that is set and cannot be read has a fault of its own, and is not missing. */
function faultsOfCombinations(config: Config, env: Env): string[] {
  const faults: string[] = [];
  if (config.oidcOnly && !hasProviderSettings(env))
    faults.push(
      'OIDC_ONLY: nobody could sign in without a provider. Set OIDC_<NAME>_ISSUER, _CLIENT_ID and _CLIENT_SECRET',
    );
  for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP']) {
    if (env[name] && !env['BACKUP_DIR']) faults.push(`${name}: has no effect without BACKUP_DIR`);
  }
  if (config.backup && isPostgres(config.databaseUrl)) faults.push('BACKUP_DIR: is for SQLite. PostgreSQL has pg_dump');
  const isElsewhere = isPostgres(config.databaseUrl) || !isInside({ folder: config.dataDir, url: config.databaseUrl });
  if (isElsewhere && !env['SECRET'] && !env['SECRET_FILE']) {
    faults.push('SECRET: must be set where the database is not in the data folder, on which it would depend');
  }
  return faults;
}

/** Undefined if a secret is shorter than `secretLength`. */
export const longEnough = (text: string) => (text.length >= secretLength ? text : undefined);

function backupPlan({ folder, ...rest }: { folder: string | undefined } & Omit<BackupPlan, 'folder'>) {
  return folder === undefined ? undefined : { folder, ...rest };
}

/** The value of a setting for an error message, without passwords. */
function shown(name: string, text: string) {
  return name === 'SECRET' || name === 'SECRET_BEFORE' ? '***' : maskPasswords(text);
}

function isInside({ folder, url }: { folder: string; url: string }) {
  return !/^\.\.(\/|$)/.test(relative(folder, fileURLToPath(url)));
}
