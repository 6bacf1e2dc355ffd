import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { adoptCopy } from '../adopt-copy.ts';
import { insertOf } from '../store.fixture.ts';
import { backUpFile } from './backup.ts';
import { openDatabase } from './open-database.ts';
import { restoreFile } from './restore.ts';

const at = new Date('2026-01-31T12:00:00.000Z');
const user = (name: string, table = '"user"') =>
  `INSERT INTO ${table} (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
   VALUES ('${name}', '${name}', '${name}', 0, '', '', '${name}')`;
const account = (name: string) =>
  `INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
   VALUES ('${name}', '', '', '${name}', 'old', '', '')`;
const session = `INSERT INTO session VALUES ('s', '', 'token', '', '', '', '', 'ann', NULL, 'password', NULL)`;
const key = (name: string) =>
  `INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at)
   VALUES ('${name}', 'ann', 'device', '${name}', x'${Buffer.from(name).toString('hex')}', 'abcd', '')`;

const swarm = (id: string) =>
  `INSERT INTO swarms (id, user_id, name, description, public, created_at, version)
   VALUES ('${id}', 'ann', '${id}', '', 1, '', 1)`;
const device = (id: string) =>
  `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
   VALUES ('${id}', 'bob', '${id}', 'pc', '', '', 1, '', '')`;
const invitation = (id: string, resource: string) =>
  `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
   VALUES ('${id}', 'ann', 'bob', 'quay', '${resource}', 'producer', '', 'new', '')`;
const request = (id: string, resource: string) =>
  `INSERT INTO join_requests (id, swarm_id, swarm_name, user_id, resource_id, resource_name, resource_folded, machine_type, resource_type, asked_at, status)
   VALUES ('${id}', 'quay', '', 'bob', '${resource}', '', '', 'pc', 'producer', '', 'new')`;
/** What is ended after the backup was made. */
const records = [
  swarm('pier'),
  swarm('mole'),
  device('gauge'),
  device('buoy'),
  device('lent'),
  device('sold'),
  device('van'),
  device('truck'),
  swarm('given'),
  swarm('quay'),
  `UPDATE swarms SET listed = 1, accepts_requests = 1 WHERE id IN ('pier', 'quay')`,
  `UPDATE resources SET keep_track = 1, keep_values = 'time' WHERE id = 'van'`,
  `UPDATE resources SET keep_track = 1, track_since = '2026-01-01' WHERE id = 'truck'`,
  `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('pier', 'van', 'both', ''), ('pier', 'truck', 'both', '2026-01-01')`,
  `INSERT INTO managers (swarm_id, user_id, asked_at, agreed_at) VALUES ('quay', 'bob', '', '')`,
  `INSERT INTO managers (swarm_id, user_id, asked_at, agreed_at, offered_at) VALUES ('quay', 'carl', '', '', '')`,
  `INSERT INTO managers (swarm_id, user_id, asked_at) VALUES ('given', 'carl', '')`,
  invitation('withdrawn', 'van'),
  invitation('rejected', 'lent'),
  invitation('accepted', 'truck'),
  invitation('open', 'sold'),
  request('asked', 'van'),
  request('waiting', 'lent'),
  `INSERT INTO webhooks (user_id, url, sealed, created_at) VALUES ('ann', 'https://old', x'01', ''), ('carl', 'https://same', x'01', '')`,
  `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) VALUES ('pier', 'gauge', 'both', '')`,
  `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, shown_by_links) VALUES ('pier', 'lent', 'both', '', 1)`,
  `INSERT INTO managers (swarm_id, user_id, asked_at, agreed_at) VALUES ('pier', 'carl', '', '')`,
  `INSERT INTO managers (swarm_id, user_id, role, asked_at, agreed_at, ends_at) VALUES ('pier', 'bob', 'watcher', '', '', '9999')`,
  `INSERT INTO join_links (id, swarm_id, name, resource_type, created_at) VALUES ('l', 'pier', 'poster', 'both', '')`,
  `UPDATE "user" SET role = 'operator' WHERE id = 'carl'`,
  `INSERT INTO addresses VALUES ('ann', 'a@old.org', 'en', '', 'then'), ('bob', 'b@same.org', 'en', '', 'then'), ('carl', 'c@no.org', 'en', '', NULL)`,
  `INSERT INTO recovery_codes (user_id, hash) VALUES ('ann', 'a'), ('ann', 'b'), ('bob', 'd'), ('carl', 'c')`,
  `INSERT INTO passkeys VALUES ('p', 'ann', 'lost phone', x'00', 0, '', '', NULL), ('q', 'ann', 'phone', x'00', 0, '', '', NULL)`,
  `INSERT INTO identities VALUES ('home', 'x', 'ann', ''), ('work', 'y', 'ann', ''), ('home', 'z', 'bob', '')`,
  `INSERT INTO totp VALUES ('ann', x'01', 0, '2026-01-01'), ('carl', x'03', 0, '2026-01-01')`,
  `UPDATE "user" SET disabled_at = '2025-12-31' WHERE id = 'carl'`,
];
const ends = [
  `DELETE FROM memberships WHERE resource_id = 'gauge'`,
  `UPDATE memberships SET ends_at = '9999' WHERE resource_id = 'lent'`,
  `UPDATE memberships SET resource_type = 'producer' WHERE resource_id = 'van'`,
  `UPDATE memberships SET member_since = '2026-02-01' WHERE resource_id = 'truck'`,
  `UPDATE managers SET role = 'watcher' WHERE swarm_id = 'quay' AND user_id = 'bob'`,
  `UPDATE managers SET offered_at = NULL`,
  `DELETE FROM managers WHERE swarm_id = 'given'`,
  `UPDATE swarms SET user_id = 'carl' WHERE id = 'given'`,
  `UPDATE swarms SET listed = 0, accepts_requests = 0 WHERE id = 'quay'`,
  `UPDATE resources SET keep_track = 0, keep_values = NULL WHERE id = 'van'`,
  `UPDATE resources SET track_since = '2026-02-01' WHERE id = 'truck'`,
  `DELETE FROM invitations WHERE id = 'withdrawn'`,
  `UPDATE invitations SET status = 'rejected', rejected_at = '' WHERE id = 'rejected'`,
  `UPDATE invitations SET status = 'accepted', accepted_at = '' WHERE id = 'accepted'`,
  `UPDATE join_requests SET status = 'withdrawn', ended_at = '' WHERE id = 'asked'`,
  `UPDATE webhooks SET url = 'https://new', sealed = x'02' WHERE user_id = 'ann'`,
  `UPDATE resources SET user_id = 'carl' WHERE id = 'sold'`,
  `UPDATE addresses SET address = 'new@x.org' WHERE user_id IN ('ann', 'carl')`,
  `DELETE FROM recovery_codes WHERE hash IN ('b', 'd')`,
  `UPDATE totp SET sealed = x'02' WHERE user_id = 'ann'`,
  `DELETE FROM passkeys WHERE id = 'p'`,
  `DELETE FROM identities WHERE provider = 'home'`,
  `DELETE FROM managers WHERE user_id = 'carl' AND swarm_id = 'pier'`,
  `UPDATE managers SET ends_at = '9998' WHERE swarm_id = 'pier'`,
  `UPDATE join_links SET ended_at = 'now'`,
  `UPDATE "user" SET role = CASE WHEN id = 'ann' THEN 'operator' ELSE '' END`,
  `UPDATE "user" SET disabled_at = NULL WHERE id = 'carl'`,
  `UPDATE memberships SET shown_by_links = 0 WHERE resource_id = 'lent'`,
  `UPDATE swarms SET public = 0 WHERE id = 'pier'`,
  `INSERT INTO blocked_users VALUES ('pier', 'carl', '')`,
  `DELETE FROM swarms WHERE id = 'mole'`,
  `DELETE FROM resources WHERE id = 'buoy'`,
];

async function readAll<R>(url: string, sql: string): Promise<R[]> {
  const db = await openDatabase({ url });
  try {
    return await db.read<R>({ sql });
  } finally {
    await db.close();
  }
}

/** A database in a folder of its own, and a backup of it. */
async function createContext() {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  const path = join(folder, 'swarmdeck.db');
  const file = join(folder, 'backup');
  const url = pathToFileURL(path).href;
  const first = await openDatabase({ url });
  for (const name of ['ann', 'bob', 'carl']) await first.write([{ sql: user(name) }, { sql: account(name) }]);
  await first.write([insertOf('before'), { sql: session }, { sql: key('lamp') }, { sql: key('lost') }]);
  await first.write(records.map((sql) => ({ sql })));
  await first.close();
  backUpFile({ url, file });
  return {
    folder,
    path,
    file,
    url,
    restore: (given = file) => restoreFile({ url, file: given, prepare: (db) => adoptCopy({ db }), at }),
    read: <R>(sql: string) => readAll<R>(url, sql),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('the backup replaces the database, which is kept with everything, and what changed since is listed', async () => {
  using context = await createContext();
  const { folder, path, url } = context;
  const [feedBefore] = await context.read<{ name: string }>('SELECT name FROM feed_name');
  const db = await openDatabase({ url });
  await db.write(
    [
      user('dora'),
      key('new'),
      `DELETE FROM api_keys WHERE id = 'lost'`,
      `DELETE FROM "user" WHERE id = 'bob'`,
      `UPDATE account SET password = 'new' WHERE id = 'carl'`,
      `UPDATE "user" SET disabled_at = '2026-01-01' WHERE id = 'ann'`,
      ...ends,
    ].map((sql) => ({ sql })),
  );
  // Its log is beside it, as after a crash.
  const reader = new DatabaseSync(path);
  reader.exec('SELECT 1 FROM feed_name');
  await db.write([insertOf('after')]);
  await db.close();
  reader.close();

  const { old, changed } = await context.restore();
  expect(old).toBe(`${path}.before-2026-01-31T12-00-00Z`);
  expect(changed).toEqual({
    newUsers: ['dora'],
    deletedUsers: ['bob'],
    newKeys: ['ann "new" …abcd'],
    revokedKeys: ['ann "lost" …abcd'],
    newPasswords: ['carl'],
    usedCodes: ['ann'],
    otherAddresses: ['ann'],
    otherApps: ['ann'],
    removedPasskeys: ['ann "lost phone"'],
    unlinkedProviders: ['ann (home)'],
    disabledUsers: ['ann'],
    enabledUsers: ['carl'],
    operators: ['carl'],
    newOperators: ['ann'],
    blockedUsers: ['carl (pier)'],
    removedManagers: ['carl (pier)'],
    formerManagers: ['bob (quay)'],
    removedMembers: ['bob "gauge" (pier)', 'bob "truck" (pier)'],
    narrowedMembers: ['bob "van" (pier)'],
    openOffers: ['bob "lent" (quay)', 'bob "van" (quay)', 'carl (given)', 'carl (quay)'],
    otherWebhooks: ['ann'],
    endedRecordings: ['bob "truck"', 'bob "van"'],
    unlistedSwarms: ['ann "quay"'],
    closedSwarms: ['ann "quay"'],
    handedOverSwarms: ['ann "given" (carl)'],
    handedOverDevices: ['bob "sold" (carl)'],
    laterEnds: ['bob "lent" (pier)', 'bob (pier)'],
    shownMembers: ['bob "lent" (pier)'],
    privateSwarms: ['ann "pier"'],
    endedLinks: ['ann "poster" (pier)'],
    deletedSwarms: ['ann "mole"'],
    deletedDevices: ['bob "buoy"'],
  });
  expect(await context.read('SELECT name FROM retired_names')).toEqual([{ name: 'before' }]);
  expect(await context.read('SELECT id FROM session')).toEqual([]);
  const [feed] = await context.read<{ name: string }>('SELECT name FROM feed_name');
  expect(feed!.name).toMatch(/^r[0-9a-f]{12}$/);
  expect(feed!.name).not.toBe(feedBefore!.name);

  const names = await readAll(pathToFileURL(old!).href, 'SELECT name FROM retired_names');
  expect(names).toEqual(expect.arrayContaining([{ name: 'after' }, { name: 'before' }]));
  expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
});

test('a damaged database is replaced too, and kept with its log', async () => {
  using context = await createContext();
  const { path } = context;
  const bytes = readFileSync(path).fill(0x5a, 4096);
  writeFileSync(path, bytes);
  writeFileSync(`${path}-wal`, 'a log');
  const { old, changed } = await context.restore();
  expect(changed).toBeUndefined();
  expect(readFileSync(old!).equals(bytes)).toBe(true);
  expect(await context.read('SELECT name FROM retired_names')).toEqual([{ name: 'before' }]);

  rmSync(path);
  expect(await context.restore()).toEqual({ old: undefined, changed: undefined });
  expect(await context.read('SELECT name FROM retired_names')).toEqual([{ name: 'before' }]);
});

test('every file that cannot be restored is refused in a sentence, and nothing is changed', async () => {
  using context = await createContext();
  const { folder, path, file, url } = context;
  const whole = readFileSync(file);
  const write = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const made = (name: string, sql: string) => {
    const made = write(name, whole);
    const db = new DatabaseSync(made);
    db.exec(sql);
    db.close();
    return made;
  };
  const others = [
    [write('diary', 'Dear diary, '.repeat(1000)), /diary is not a database\. Nothing was changed$/],
    [write('damaged', Buffer.from(whole).fill(0x5a, 8192)), /damaged is damaged \(.+\): use another backup\. Nothing/],
    [write('half', whole.subarray(0, 40_960)), /half is damaged/],
    [write('empty', ''), /empty is empty\. Nothing was changed$/],
    [made('newer', `INSERT INTO swarmdeck_migrations VALUES ('9999-x', '')`), /newer was written by a newer version/],
    [made('songs', 'DROP TABLE swarmdeck_migrations'), /songs is the database of another program\. Nothing/],
    [join(folder, 'missing'), /missing: file not found$/],
    [path, /is the database itself$/],
  ] as const;
  const before = readFileSync(path);
  const filesIn = () => readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name));
  const files = filesIn();
  for (const [other, sentence] of others) await expect(context.restore(other)).rejects.toThrow(sentence);

  const refuse = async () => Promise.reject(new Error('it is of another secret'));
  await expect(restoreFile({ url, file, prepare: refuse, at })).rejects.toThrow('another secret. Nothing was changed');
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(filesIn()).toEqual(files);
  const server = await openDatabase({ url });
  await expect(context.restore()).rejects.toThrow(/is in use: another Swarmdeck server/);
  await server.close();
});
