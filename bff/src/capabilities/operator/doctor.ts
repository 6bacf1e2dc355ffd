import { BlockList, isIPv6 } from 'node:net';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../core/config/config.ts';
import { isLoopback } from '../../core/http/loopback.ts';
import { hourMs } from '../../core/limits/durations.ts';
import type { Finding } from '../../core/part.ts';
import type { Database } from '../../core/store/database.ts';
import { readServerClock } from './clock.store.ts';

/** What the backups say of themselves; undefined if none are made regularly. */
type BackupState =
  | { plan: { everyMs: number }; last: { at: Date } | undefined; failure: string | undefined }
  | undefined;

const isLocal = (host: string) => host === '' || isLoopback(host);
const megabyte = 1_000_000;
const leastUnused = 100 * megabyte;
const slowestSyncMs = 50;
const largestSkewMs = 2000;
/** Rounds of presence begin every five seconds. */
const oldestRoundMs = 60_000;
const finding = (part: string, state: Finding['state'], text: string): Finding => ({ part, state, text });

/** What is wrong with the connection to the database. Undefined if nobody in between can read or change what is sent. */
export function connectionFault(databaseUrl: string): string | undefined {
  const { protocol, hostname, searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode') ?? 'none';
  if (protocol === 'file:' || isLocal(hostname) || mode === 'verify-full') return undefined;
  return `sslmode is ${mode}: add ?sslmode=verify-full to DATABASE_URL`;
}

function mailServer(examined: { host: string; failure: string | undefined } | undefined): Finding[] {
  if (!examined) return [];
  const { host, failure } = examined;
  if (failure === undefined) return [finding('mail', 'ok', `the mail server ${host} answers`)];
  return [finding('mail', 'error', `the mail server ${host} cannot be used (${failure}): look at SMTP_URL`)];
}

interface SecondFactorCount {
  rule: 'optional' | 'required';
  users: number;
  without: number;
}

function secondFactor({ rule, users, without }: SecondFactorCount): Finding {
  const text = `${rule}; ${without.toLocaleString('en')} of ${users.toLocaleString('en')} users have none`;
  return finding('second factor', 'ok', text);
}

interface DoctorOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  publicUrl: string;
  db: Database;
  backupState: () => Promise<BackupState>;
  /** Whether a proxy that is not trusted has sent requests. */
  hasUnknownProxy: () => boolean;
  trustedProxies: Config['trustedProxies'];
  /** In ms, since the last round of presence; undefined in a command, which has none. */
  presenceAgeMs: () => number | undefined;
  /** What the messages of all users have, and may have. */
  messages: { most: number; read: () => Promise<number> };
  /** What the ways to sign in say. */
  ofSignIn: () => Promise<Finding[]>;
  /** The mail server, and why it takes no mails; undefined if there is none. */
  mail: () => Promise<{ host: string; failure: string | undefined } | undefined>;
  /** Whether a second factor is required, and how many users have none. */
  secondFactors: () => Promise<SecondFactorCount>;
  now: () => Date;
}

/** Examines the setup of this process. It changes nothing, except for a small file in the data folder for a moment. */
export function createDoctor(options: DoctorOptions): () => Promise<Finding[]> {
  return async () => {
    const others = [options.mail().then(mailServer), options.ofSignIn(), options.secondFactors().then(secondFactor)];
    const found = await Promise.all([
      modes(options),
      disk(options),
      clock(options),
      processes(options),
      messageBytes(options),
      ...others,
      backups(options),
    ]);
    return [address(options), proxies(options), connection(options), ...presence(options), ...found.flat()];
  };
}

const isFile = (databaseUrl: string) => new URL(databaseUrl).protocol === 'file:';

function address({ publicUrl }: DoctorOptions): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return finding('address', 'ok', publicUrl);
  if (isLocal(hostname))
    return finding('address', 'warning', `${publicUrl} works only on this machine: set PUBLIC_URL`);
  return finding('address', 'error', `browsers keep no session on ${publicUrl}: set PUBLIC_URL to an https address`);
}

/** The networks of one owner (RFC 1918, 6598, 3927, 4193, 4291): nobody on the internet has an address in them. */
const privateNetworks = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;
/** A larger network has addresses of other owners, who could name any address as their own. */
const widest = { ipv4: 24, ipv6: 56 };

function isTooWide({ address, prefix, family }: Config['trustedProxies'][number]): boolean {
  if (prefix >= widest[family]) return false;
  return !privateNetworks.some(([network, length]) => {
    const list = new BlockList();
    if (isIPv6(network) === (family === 'ipv6')) list.addSubnet(network, length, family);
    return prefix >= length && list.check(address, family);
  });
}

function proxies({ hasUnknownProxy, trustedProxies }: DoctorOptions): Finding {
  const wide = trustedProxies.find(isTooWide);
  if (wide) {
    const network = `${wide.address}/${wide.prefix}`;
    const text = `TRUSTED_PROXIES trusts ${network}: each address in it can claim to be any other. Name the proxies`;
    return finding('proxies', 'warning', text);
  }
  if (!hasUnknownProxy()) return finding('proxies', 'ok', 'no unknown proxy since the start');
  return finding(
    'proxies',
    'warning',
    'an unknown proxy sends requests, whose users share limits: set TRUSTED_PROXIES',
  );
}

async function modes({ config: { dataDir, databaseUrl } }: DoctorOptions): Promise<Finding[]> {
  const files = [dataDir, join(dataDir, 'secret'), ...(isFile(databaseUrl) ? [fileURLToPath(databaseUrl)] : [])];
  const found: Finding[] = [];
  for (const path of files) {
    const mode = await stat(path).then(
      (stats) => stats.mode,
      () => 0,
    );
    if ((mode & 0o077) !== 0) found.push(finding('files', 'error', `others can read ${path}: run chmod go= ${path}`));
  }
  return found.length > 0 ? found : [finding('files', 'ok', 'only the owner can read them')];
}

function connection({ config }: DoctorOptions): Finding {
  const fault = connectionFault(config.databaseUrl);
  return fault === undefined ? finding('connection', 'ok', 'to the database') : finding('connection', 'warning', fault);
}

async function disk({ config: { dataDir, databaseUrl }, db }: DoctorOptions): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.round((bavail * bsize) / megabyte);
  const state = free < 100 ? 'error' : free < 1000 ? 'warning' : 'ok';
  const found = [finding('space', state, `${free.toLocaleString('en')} MB free in ${dataDir}`)];
  if (!isFile(databaseUrl)) return found;
  const ms = await syncMs(dataDir);
  const text = `${ms.toFixed(1)} ms to write to the disk`;
  found.push(await unused(db));
  found.push(finding('disk', ms > slowestSyncMs ? 'warning' : 'ok', text));
  const log = await stat(`${fileURLToPath(databaseUrl)}-wal`).then(
    ({ size }) => Math.round(size / megabyte),
    () => 0,
  );
  found.push(
    finding('log', log > 1000 ? 'warning' : 'ok', `${log.toLocaleString('en')} MB are not in the database file yet`),
  );
  return found;
}

/** What was deleted is used again, but a file of an earlier version never becomes smaller. */
async function unused(db: Database): Promise<Finding> {
  const space = await db.readSpace();
  if (!space) return finding('unused', 'ok', 'none');
  const format = (bytes: number) => Math.round(bytes / megabyte).toLocaleString('en');
  const text = `${format(space.unused)} of ${format(space.bytes)} MB in the database file are unused`;
  const isMuch = space.unused > leastUnused && space.unused > space.bytes / 4;
  if (space.isGivenBack || !isMuch) return finding('unused', 'ok', text);
  const needed = format(space.bytes - space.unused);
  return finding('unused', 'warning', `${text}: run \`swarmdeck vacuum\` without a server; it needs ${needed} MB`);
}

/** How long a write to the disk takes: the least of five, because other work may delay some. */
async function syncMs(dataDir: string): Promise<number> {
  const path = join(dataDir, `doctor-${process.pid}`);
  const file = await open(path, 'w', 0o600);
  try {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 5; tries += 1) {
      const began = performance.now();
      await file.write('x'.repeat(4096));
      await file.sync();
      least = Math.min(least, performance.now() - began);
    }
    return least;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

async function processes({ config, db }: DoctorOptions): Promise<Finding[]> {
  if (isFile(config.databaseUrl)) return [];
  const older = await db.olderProcesses();
  if (older.length === 0) return [finding('processes', 'ok', 'none of an older version uses the database')];
  return [finding('processes', 'error', `older versions use the database: stop those at ${older.join(', ')}`)];
}

async function clock({ config, db, now }: DoctorOptions): Promise<Finding[]> {
  if (isFile(config.databaseUrl)) return [];
  const before = now().getTime();
  const at = await readServerClock(db);
  const after = now().getTime();
  const skew = Math.max(0, before - at, at - after);
  const text = `${(skew / 1000).toFixed(1)} s away from the database's clock`;
  return [finding('clock', skew > largestSkewMs ? 'error' : 'ok', text)];
}

function presence({ presenceAgeMs }: DoctorOptions): Finding[] {
  const age = presenceAgeMs();
  if (age === undefined) return [];
  const text = `the last round ended ${Math.round(age / 1000).toLocaleString('en')} s ago`;
  if (age <= oldestRoundMs) return [finding('presence', 'ok', text)];
  return [finding('presence', 'error', `${text}: no owner is notified of silent devices. The log says why`)];
}

async function messageBytes({ messages }: DoctorOptions): Promise<Finding> {
  const used = await messages.read();
  const [has, may] = [used, messages.most].map((bytes) => Math.round(bytes / megabyte).toLocaleString('en'));
  if (!Number.isFinite(messages.most)) return finding('messages', 'ok', `${has} MB, without a limit`);
  const text = `${has} of ${may} MB`;
  if (used >= messages.most)
    return finding('messages', 'error', `${text}: those of the users who have most are refused. Set MESSAGES_MB`);
  return finding('messages', used > 0.8 * messages.most ? 'warning' : 'ok', text);
}

async function backups({ config, backupState, now }: DoctorOptions): Promise<Finding> {
  const state = await backupState();
  if (!isFile(config.databaseUrl)) return finding('backup', 'ok', 'is made with pg_dump, which is not checked here');
  if (!state) return finding('backup', 'warning', 'none are made regularly: set BACKUP_DIR');
  const { plan, last, failure } = state;
  if (failure !== undefined) return finding('backup', 'error', `the last one failed: ${failure}`);
  if (!last) return finding('backup', 'warning', 'there is none yet');
  const age = now().getTime() - last.at.getTime();
  const text = `the last one is ${Math.round(age / hourMs)} hours old`;
  return finding('backup', age > 2 * plan.everyMs ? 'error' : 'ok', text);
}
