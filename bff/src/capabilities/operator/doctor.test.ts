import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hourMs } from '../../core/limits/durations.ts';
import type { Database } from '../../core/store/database.ts';
import { temporaryFolder } from '../../core/store/store.fixture.ts';
import { createDoctor } from './doctor.ts';

type Options = Parameters<typeof createDoctor>[0];

async function examine(given: Partial<Options> = {}) {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, '..');
  writeFileSync(folder.path, '');
  chmodSync(folder.path, 0o600);
  const findings = await createDoctor({
    config: { dataDir, databaseUrl: folder.url },
    publicUrl: 'https://devices.example.org',
    db: { readSpace: async () => ({ bytes: 4e9, unused: 2e9, isGivenBack: true }) } as unknown as Database,
    backupState: async () => ({ plan: { everyMs: hourMs }, last: { at: new Date() }, failure: undefined }),
    hasUnknownProxy: () => false,
    trustedProxies: [
      { address: '198.51.100.0', prefix: 24, family: 'ipv4' },
      { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '172.16.0.0', prefix: 12, family: 'ipv4' },
      { address: '2001:db8::', prefix: 56, family: 'ipv6' },
      { address: 'fd00::', prefix: 8, family: 'ipv6' },
    ],
    presenceAgeMs: () => 3000,
    messages: { most: 2e9, read: async () => 1e9 },
    ofSignIn: async () => [],
    mail: async () => undefined,
    secondFactors: async () => ({ rule: 'optional', users: 3, without: 2 }),
    now: () => new Date(),
    ...given,
  })();
  return Object.fromEntries(findings.map(({ part, state, text }) => [part, { state, text }]));
}

test('a good setup is fine; space and speed are as they are on this machine', async () => {
  const { space, disk, ...others } = await examine();
  expect([space?.text, disk?.text]).toEqual([
    expect.stringMatching(/ MB free in /),
    expect.stringMatching(/ ms to write to the disk$/),
  ]);
  expect(Object.values(others).filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(Object.keys(others)).toEqual([
    'address',
    'proxies',
    'connection',
    'presence',
    'files',
    'unused',
    'log',
    'messages',
    'second factor',
    'backup',
  ]);
});

test.each<[string, Partial<Options>, string, string]>([
  ['address', { publicUrl: 'http://127.0.0.1:3000' }, 'warning', 'works only on this machine'],
  ['address', { publicUrl: 'http://devices.example.org' }, 'error', 'browsers keep no session'],
  ['proxies', { hasUnknownProxy: () => true }, 'warning', 'TRUSTED_PROXIES'],
  ...(
    [
      ['0.0.0.0', 0, 'ipv4'],
      ['198.51.0.0', 23, 'ipv4'],
      ['10.0.0.0', 7, 'ipv4'],
      ['2001:db8::', 55, 'ipv6'],
      ['fc00::', 6, 'ipv6'],
    ] as const
  ).map(
    ([address, prefix, family]) =>
      [
        'proxies',
        { trustedProxies: [{ address, prefix, family }] },
        'warning',
        `TRUSTED_PROXIES trusts ${address}/${prefix}`,
      ] as [string, Partial<Options>, string, string],
  ),
  [
    'unused',
    { db: { readSpace: async () => ({ bytes: 4e9, unused: 2e9, isGivenBack: false }) } as unknown as Database },
    'warning',
    '2,000 of 4,000 MB in the database file are unused: run `swarmdeck vacuum` without a server; it needs 2,000 MB',
  ],
  ['presence', { presenceAgeMs: () => 61_000 }, 'error', 'the last round ended 61 s ago'],
  ['messages', { messages: { most: 2e9, read: async () => 1.7e9 } }, 'warning', '1,700 of 2,000 MB'],
  [
    'messages',
    { messages: { most: 2e9, read: async () => 2e9 } },
    'error',
    '2,000 of 2,000 MB: those of the users who have most are refused',
  ],
  ['backup', { backupState: async () => undefined }, 'warning', 'BACKUP_DIR'],
  [
    'backup',
    { backupState: async () => ({ plan: { everyMs: 1000 }, last: { at: new Date(0) }, failure: undefined }) },
    'error',
    'hours old',
  ],
  [
    'backup',
    { backupState: async () => ({ plan: { everyMs: 1000 }, last: undefined, failure: 'the disk is full' }) },
    'error',
    'the disk is full',
  ],
])('finds a fault of the %s', async (part, given, state, text) => {
  expect((await examine(given))[part]).toEqual({ state, text: expect.stringContaining(text) });
});

test('finds files that others can read', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, '..');
  writeFileSync(folder.path, '');
  chmodSync(folder.path, 0o644);
  const { files } = await examine({ config: { dataDir, databaseUrl: folder.url } });
  expect(files).toEqual({ state: 'error', text: expect.stringContaining(`others can read ${folder.path}`) });
});

test('of PostgreSQL, examines the connection and the clock', async () => {
  const read = async () => [{ at: Date.now() - 60_000 }];
  using folder = temporaryFolder();
  const config = { dataDir: join(folder.path, '..'), databaseUrl: 'postgres://swarmdeck@db.example.org/swarmdeck' };
  const found = await examine({
    config,
    db: { read, olderProcesses: async () => ['10.0.0.2:5000'] } as unknown as Database,
  });
  expect(found).toMatchObject({
    connection: { state: 'warning', text: expect.stringContaining('sslmode=verify-full') },
    processes: { state: 'error', text: 'older versions use the database: stop those at 10.0.0.2:5000' },
    clock: { state: 'error', text: expect.stringMatching(/^(59|6\d)\.\d s away/) },
  });
});

test('a mail server that takes no mails is an error, with its setting', async () => {
  const host = 'mail.example.org';
  const { mail: found } = await examine({ mail: async () => ({ host, failure: 'certificate has expired' }) });
  expect(found).toEqual({
    state: 'error',
    text: 'the mail server mail.example.org cannot be used (certificate has expired): look at SMTP_URL',
  });
  const { mail: fine } = await examine({ mail: async () => ({ host, failure: undefined }) });
  expect(fine).toEqual({ state: 'ok', text: 'the mail server mail.example.org answers' });
});
