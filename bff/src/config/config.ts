import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readMailSettings, type MailSettings } from './mail-settings.ts';
import { readOidcProviders, type OidcProvider } from './oidc-settings.ts';
import { readSecretFile } from './secret-file.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
/** Which requests have a log line: those that failed, also those that took over a second, or all. */
const logRequests = ['failed', 'slow', 'all'] as const;
export type LogRequests = (typeof logRequests)[number];
/** The socket of a running server in the data folder, for the operator's commands. */
export const socketName = 'swarmdeck.sock';
/** In bytes: the limit for the path of a Unix socket on macOS, 4 less than on Linux. */
const socketPathAtMost = 103;
const hour = 3_600_000;
const megabyte = 1_000_000;
const secretLength = 32;

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
  /** After how long a session ends without use, and in any case. Undefined: as sign-in/ has it. */
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
  /** Whether webhooks may have private and loopback addresses. */
  webhooks: 'public' | 'private';
  /** The factor of all quotas; Infinity for none. */
  quotas: number;
  /** In bytes: what the messages of all users may have; Infinity for no limit. */
  messageBytes: number;
  logLevel: LogLevel;
  logRequests: LogRequests;
  /** The address of the metrics; undefined if there are none. */
  metrics: { host: string; port: number } | undefined;
  /** The address of the door for MQTT; undefined if there is none. */
  mqtt: { host: string; port: number } | undefined;
  /** Where devices connect by MQTT, if it is not this address: that of a proxy, for example. */
  mqttUrl: string | undefined;
  /** Networks whose X-Forwarded-For is trusted. `prefix`: bits. */
  trustedProxies: { address: string; prefix: number; family: 'ipv4' | 'ipv6' }[];
  /** The origins whose pages may use the service with a key. */
  corsOrigins: string[];
  /** The URL template of the map's tiles, with {z}, {x}, {y} and optionally {r}. Undefined if there are none. */
  tileUrl: string | undefined;
  /** The path of a PMTiles archive with the map's tiles, instead of `tileUrl`. */
  mapFile: string | undefined;
  tileAttribution: TileAttribution | undefined;
  /** Undefined if there are no regular backups. */
  backup: BackupPlan | undefined;
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

type Env = Record<string, string | undefined>;

/**
 * Reads the environment. Without DATA_DIR, data is stored in the folder of systemd's STATE_DIRECTORY, or in `clone`.
 * Without a clone, one of both is required. A relative DATA_DIR is resolved against `clone` or the working directory.
 * @throws ConfigError
 */
export function readConfig({ env, clone }: { env: Env; clone: string | undefined }): Config {
  const faults: string[] = [];
  const setting = settingsOf(env, faults);
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
    webhooks: setting(
      'WEBHOOKS',
      'public',
      (text) => (['public', 'private'] as const).find((each) => each === text),
      'public or private',
    ),
    rateLimit: setting('RATE_LIMIT', 1, readFactor, 'on, off or a factor above 0'),
    quotas: setting('QUOTAS', 1, readFactor, 'on, off or a factor above 0'),
    messageBytes: setting('MESSAGES_MB', 10_000 * megabyte, readMegabytes, 'off or a number of megabytes above 0'),
    logLevel: setting('LOG_LEVEL', 'info', oneOf(logLevels), logLevels.join(', ')),
    logRequests: setting('LOG_REQUESTS', 'failed', oneOf(logRequests), logRequests.join(', ')),
    metrics: setting('METRICS', undefined, readAddress, 'an address and a port, like 127.0.0.1:9464 or [::1]:9464'),
    mqtt: setting('MQTT', undefined, readAddress, 'an address and a port, like 127.0.0.1:1883 or [::1]:1883'),
    mqttUrl: setting(
      'MQTT_URL',
      undefined,
      (text) =>
        /^mqtts?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(text) && URL.canParse(text) ? text : undefined,
      'an address like mqtts://devices.example.org:8883',
    ),
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
    tileUrl: setting(
      'TILE_URL',
      undefined,
      readTileUrl,
      'an address on one http(s) host, like https://tile.example.org/{z}/{x}/{y}.png, {r} where it has @2x',
    ),
    mapFile: setting(
      'MAP_FILE',
      undefined,
      (text) => (isAbsolute(text) ? text : undefined),
      'the absolute path of a PMTiles archive',
    ),
    tileAttribution: setting(
      'TILE_ATTRIBUTION',
      undefined,
      readTileAttribution,
      'plain text of 200 characters at most, with the address of a page at its end where there is one',
    ),
    backup: backupPlan({
      folder: setting(
        'BACKUP_DIR',
        undefined,
        (text) => (isAbsolute(text) ? text : undefined),
        'the absolute path of a folder',
      ),
      everyMs: setting('BACKUP_EVERY', 24 * hour, readInterval, 'hours or days, like 12h or 7d'),
      keep: setting('BACKUP_KEEP', 7, readCount, 'a whole number above 0'),
    }),
  };
  faults.push(...faultsOfCombinations(config, { env, faults }));
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

/** Settings that exclude each other, or need each other. `faults`: those of single settings, which explain some of these. */
function faultsOfCombinations(config: Config, known: { env: Env; faults: readonly string[] }): string[] {
  const { env } = known;
  const faults: string[] = [];
  const isKnown = (prefix: string) => known.faults.some((fault) => fault.startsWith(prefix));
  if (config.oidcOnly && config.oidcProviders.length === 0 && !isKnown('OIDC_'))
    faults.push(
      'OIDC_ONLY: nobody could sign in without a provider. Set OIDC_<NAME>_ISSUER, _CLIENT_ID and _CLIENT_SECRET',
    );
  if (config.tileUrl && config.mapFile) faults.push('MAP_FILE: only one of it and TILE_URL can be set');
  for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP']) {
    if (env[name] && !env['BACKUP_DIR']) faults.push(`${name}: has no effect without BACKUP_DIR`);
  }
  if (config.backup && isPostgres(config.databaseUrl)) faults.push('BACKUP_DIR: is for SQLite. PostgreSQL has pg_dump');
  const isElsewhere = isPostgres(config.databaseUrl) || !isInside({ folder: config.dataDir, url: config.databaseUrl });
  if (isElsewhere && config.secret === undefined && !isKnown('SECRET')) {
    faults.push('SECRET: must be set where the database is not in the data folder, on which it would depend');
  }
  return faults;
}

const longEnough = (text: string) => (text.length >= secretLength ? text : undefined);

function readPort(text: string) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function backupPlan({ folder, ...rest }: { folder: string | undefined } & Omit<BackupPlan, 'folder'>) {
  return folder === undefined ? undefined : { folder, ...rest };
}

/** Returns the interval in ms. */
function readInterval(text: string) {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'd' ? 24 : 1) * hour;
}

function readCount(text: string) {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

function readAddress(text: string): Config['metrics'] {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const number = readPort(port);
  return number !== undefined && isIP(host) === (bracketed ? 6 : 4) ? { host, port: number } : undefined;
}

function readOrigin(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  return plain ? url.origin : undefined;
}

/** Exact ones, as browsers send them: a wildcard would be a part of a host name. */
function readOrigins(text: string) {
  const origins = text.split(',').map((name) => (name.includes('*') ? undefined : readOrigin(name.trim())));
  return origins.every((origin) => origin !== undefined) ? origins : undefined;
}

const isPostgres = (url: string) => /^postgres(ql)?:/.test(url);

function readPostgresUrl(text: string) {
  return isPostgres(text) && URL.canParse(text) && new URL(text).pathname.length > 1 ? text : undefined;
}

function readDatabaseUrl(text: string) {
  if (isPostgres(text)) return readPostgresUrl(text);
  if (!/^file:\/\/\/[^?#]+$/.test(text)) return undefined;
  try {
    fileURLToPath(text);
    return text;
  } catch {
    return undefined;
  }
}

/** The value of a setting for an error message, without passwords. */
function shown(name: string, text: string) {
  return name === 'SECRET' || name === 'SECRET_BEFORE' ? '***' : maskPasswords(text);
}

/** `on` is 1, `off` is Infinity; undefined if it is not a factor. */
function readFactor(text: string) {
  if (text === 'on') return 1;
  if (text === 'off') return Number.POSITIVE_INFINITY;
  const factor = Number(text);
  return Number.isFinite(factor) && factor > 0 ? factor : undefined;
}

/** Returns bytes; `off` is Infinity. */
function readMegabytes(text: string) {
  if (text === 'off') return Number.POSITIVE_INFINITY;
  const megabytes = Number(text);
  return Number.isFinite(megabytes) && megabytes > 0 ? megabytes * megabyte : undefined;
}

function readProxies(text: string) {
  const names = text.split(',').map((name) => name.trim());
  const networks = names.flatMap((name) => (name === 'loopback' ? ['127.0.0.0/8', '::1'] : [name])).map(readNetwork);
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

/** An address, or a network in CIDR notation. */
function readNetwork(text: string): Config['trustedProxies'][number] | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  const prefix = Number(length ?? bits);
  return bits === 0 || prefix > bits ? undefined : { address, prefix, family: bits === 32 ? 'ipv4' : 'ipv6' };
}

function isInside({ folder, url }: { folder: string; url: string }) {
  return !/^\.\.(\/|$)/.test(relative(folder, fileURLToPath(url)));
}

function oneOf<const T extends readonly string[]>(allowed: T) {
  return (text: string): T[number] | undefined => allowed.find((entry) => entry === text);
}

/**
 * Replaces passwords in URLs (`postgres://user:password@host`, `?password=`) by `***`. A password may contain any
 * character except white space and double quotes, even an unescaped `@` or `/`.
 */
export function maskPasswords(text: string): string {
  return text.replaceAll(/[^\s"]+/g, maskUserInfo).replaceAll(/([?&](?:ssl)?password=)[^\s&"]*/gi, '$1***');
}

/** Searches for the last `@` first, because one expression for both would take quadratic time. */
function maskUserInfo(word: string): string {
  const end = word.lastIndexOf('@');
  const user = /:\/\/[^:/]*:/.exec(word.slice(0, Math.max(end, 0)));
  return user ? `${word.slice(0, user.index + user[0].length)}***${word.slice(end)}` : word;
}

/** The secret in the data folder, mode 600, created at the first start. It encrypts gateway keys and signs cookies. */
export function storedSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'secret');
  try {
    // Fails if the file exists, so that two concurrent first starts do not create two secrets.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (!longEnough(secret))
    throw new ConfigError([`${file} is damaged: it holds fewer than ${secretLength} characters`]);
  return secret;
}

/** The secret of the server, and another one that is accepted too. */
export const secretsOf = (config: Pick<Config, 'secret' | 'secretBefore' | 'dataDir'>): [string, ...string[]] => [
  config.secret ?? storedSecret(config.dataDir),
  ...(config.secretBefore === undefined ? [] : [config.secretBefore]),
];

/** `{z}`, `{x}` and `{y}` are the tile, `{r}` is `@2x` for high-density screens. */
const placeholders = ['{z}', '{x}', '{y}', '{r}'];

/** The attribution of tiles: a text, and the URL of a page about them. */
interface TileAttribution {
  text: string;
  url?: string;
}

/** The URL template; undefined if it is not one of an XYZ server. */
export function readTileUrl(text: string): string | undefined {
  const isWhole = placeholders.slice(0, 3).every((name) => text.includes(name));
  const rest = placeholders.reduce((shorter, name) => shorter.replaceAll(name, ''), text);
  if (!isWhole || /[{}\s#\\]/.test(rest)) return undefined;
  const address = /^https?:\/\/([^/?{}]+)\//i.exec(text);
  // A user name and password would be sent to other servers and written to logs.
  if (!address || address[1]!.includes('@') || !URL.canParse(text.replaceAll(/[{}]/g, ''))) return undefined;
  return text;
}

/** Plain text, optionally followed by a URL. */
export function readTileAttribution(text: string): TileAttribution | undefined {
  if (/[<>\p{Cc}]|&\w+;/u.test(text) || text.length > 200) return undefined;
  const trimmed = text.trim();
  const at = trimmed.search(/\shttps?:\/\/\S+$/);
  const [words, url] = at === -1 ? [trimmed, undefined] : [trimmed.slice(0, at).trim(), trimmed.slice(at + 1)];
  if (words === '' || /^https?:/.test(words) || (url && !URL.canParse(url))) return undefined;
  return { text: words, ...(url && { url: new URL(url).href }) };
}
