import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, hourMs } from '../limits/durations.ts';
import { temporaryDataDir } from '../../tests/process.fixture.ts';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (env: Record<string, string>) => readConfig({ env, clone: '/srv/clone' });
const readInPackage = (env: Record<string, string>) => readConfig({ env, clone: undefined });

describe('settings', () => {
  test('everything has a default', () => {
    expect(read({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: '/srv/clone/data',
      databaseUrl: 'file:///srv/clone/data/swarmdeck.db',
      secret: undefined,
      secretBefore: undefined,
      signUp: 'open',
      oidcProviders: [],
      oidcOnly: false,
      mail: undefined,
      secondFactor: 'optional',
      rateLimit: 1,
      quotas: 1,
      messageBytes: 10_000_000_000,
      logLevel: 'info',
      logRequests: 'failed',
      trustedProxies: [],
      corsOrigins: [],
      backup: undefined,
      ofCapabilities: {},
    });
  });

  test('data is in DATA_DIR, in the state directory of systemd, or in the clone; a package requires one of the first', () => {
    const systemd = { STATE_DIRECTORY: '/var/lib/swarmdeck:/var/lib/other' };
    expect(read(systemd).dataDir).toBe('/var/lib/swarmdeck');
    expect(readInPackage(systemd).dataDir).toBe('/var/lib/swarmdeck');
    expect(readInPackage({ ...systemd, DATA_DIR: '/srv/data' }).dataDir).toBe('/srv/data');
    expect(readInPackage({ DATA_DIR: 'data' }).dataDir).toBe(join(process.cwd(), 'data'));
    const { message } = catchError(() => readInPackage({ DATA_DIR: '', PORT: '70000' }));
    expect(message).toMatch(/^ {2}DATA_DIR: must be set .+\n {2}PORT="70000"/m);
  });

  test('the times of sessions are hours or days', () => {
    expect(read({ SESSION_IDLE: '12h', SESSION_MAX: '7d' })).toMatchObject({
      sessionIdleMs: 12 * hourMs,
      sessionMaxMs: 7 * dayMs,
    });
    expect(catchError(() => read({ SESSION_IDLE: '0h' })).message).toContain('SESSION_IDLE');
  });

  test('all invalid settings are reported at once', () => {
    const env = {
      PORT: '70000',
      PUBLIC_URL: 'example.org',
      SECRET: 'short',
      SIGN_UP: 'maybe',
      SECOND_FACTOR: 'sometimes',
      RATE_LIMIT: '-1',
      QUOTAS: '0',
      LOG_LEVEL: 'loud',
      LOG_REQUESTS: 'some',
      TRUSTED_PROXIES: 'a b',
      CORS_ORIGINS: '*',
      DATABASE_URL: 'mysql://x/y',
      DATABASE_DIRECT_URL: 'file:///srv/swarmdeck.db',
      HOST: 'a b',
      BACKUP_DIR: 'backups',
      BACKUP_EVERY: '10m',
      BACKUP_KEEP: '0',
    };
    const error = catchError(() => read(env));
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of Object.keys(env)) expect(error.message).toContain(`${name}=`);
  });

  test.each([
    ['DATABASE_URL', 'mysql://ann:hidden@db.example.org/swarm'],
    ['DATABASE_URL', 'postgres://ann:hidden/p@hidden@db.example.org/swarm'],
    ['DATABASE_URL', 'mysql://db.example.org/swarm?user=ann&password=hidden&sslmode=require'],
    ['SECRET', 'hidden'],
  ])('the message about %s=%s does not show the password', (name, value) => {
    const { message } = catchError(() => read({ [name]: value }));
    expect(message).toContain(`${name}="`);
    expect(message).not.toContain('hidden');
  });

  test.each(['999.1.1.1', 'dead', '1.2.3', 'loopback, proxy.example.org', '10.0.0.0/33', '10.0.0.0/', '::/129', ','])(
    'TRUSTED_PROXIES=%s is refused because it is no address or network',
    (proxies) => {
      expect(() => read({ TRUSTED_PROXIES: proxies })).toThrow('TRUSTED_PROXIES');
    },
  );

  test.each([
    '*',
    'null',
    'https://*.example.org',
    'board.example.org',
    'https://board.example.org/app',
    'https://board.example.org,',
    'file:///srv/board.html',
  ])('CORS_ORIGINS=%s is refused because it is no exact origin', (origins) => {
    expect(() => read({ CORS_ORIGINS: origins })).toThrow('CORS_ORIGINS');
  });

  test('origins of pages are read as browsers send them', () => {
    const { corsOrigins } = read({ CORS_ORIGINS: 'https://Board.example.org:443/, http://localhost:5173' });
    expect(corsOrigins).toEqual(['https://board.example.org', 'http://localhost:5173']);
  });

  test('regular backups have a folder, and are for SQLite', () => {
    const BACKUP_DIR = '/srv/backups';
    expect(read({ BACKUP_DIR }).backup).toEqual({ folder: BACKUP_DIR, everyMs: dayMs, keep: 7 });
    const often = read({ BACKUP_DIR, BACKUP_EVERY: '1h', BACKUP_KEEP: '100' });
    expect(often.backup).toEqual({ folder: BACKUP_DIR, everyMs: hourMs, keep: 100 });
    expect(read({ BACKUP_DIR, BACKUP_EVERY: '7d' }).backup?.everyMs).toBe(168 * hourMs);
    expect(() => read({ BACKUP_EVERY: '1h' })).toThrow('BACKUP_EVERY: has no effect without BACKUP_DIR');
    const elsewhere = { DATABASE_URL: 'postgres://host/swarmdeck', SECRET: 'x'.repeat(32) };
    expect(() => read({ ...elsewhere, BACKUP_DIR })).toThrow('BACKUP_DIR: is for SQLite');
  });

  test('a secret is a text or the text of a file', () => {
    using folder = temporaryDataDir();
    const file = join(folder.dataDir, 'secret');
    const secret = 'x'.repeat(40);
    writeFileSync(file, `${secret}\n`);
    expect(read({ SECRET_FILE: file })).toMatchObject({ secret, secretBefore: undefined });
    expect(read({ SECRET: secret, SECRET_BEFORE_FILE: file })).toMatchObject({ secret, secretBefore: secret });
    expect(() => read({ SECRET: secret, SECRET_FILE: file })).toThrow('only one of it and SECRET can be set');
    expect(() => read({ SECRET_FILE: `${file}-other` })).toThrow('SECRET_FILE=');
    writeFileSync(file, 'short');
    const { message } = catchError(() => read({ SECRET_FILE: file, SECRET_BEFORE: 'hidden' }));
    expect(message).toMatch(/SECRET_FILE=.+: takes a readable file with at least 32 characters/);
    expect(message).toMatch(/SECRET_BEFORE="\*\*\*"/);
  });

  test('proxies are IPv4 or IPv6 addresses or networks', () => {
    expect(read({ TRUSTED_PROXIES: 'loopback, 192.0.2.1,172.16.0.0/12, 2001:db8::/32' }).trustedProxies).toEqual([
      { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '::1', prefix: 128, family: 'ipv6' },
      { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
      { address: '172.16.0.0', prefix: 12, family: 'ipv4' },
      { address: '2001:db8::', prefix: 32, family: 'ipv6' },
    ]);
  });

  test('a data folder is refused if the path of its socket is too long', () => {
    expect(() => read({ DATA_DIR: `/srv/${'x'.repeat(100)}` })).toThrow('DATA_DIR');
    expect(() => readConfig({ env: {}, clone: `/srv/${'x'.repeat(100)}` })).toThrow('DATA_DIR');
    expect(read({ DATA_DIR: `/srv/${'x'.repeat(80)}` }).dataDir).toHaveLength(85);
  });

  test('a database with another name in the data folder needs no SECRET', () => {
    const url = 'file:///srv/devices/kept%20here.db';
    expect(read({ DATA_DIR: '/srv/devices', DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test('a database outside the data folder requires SECRET', () => {
    expect(catchError(() => read({ DATABASE_URL: 'file:///srv/elsewhere.db' })).message).toContain('SECRET');
    const beside = { DATA_DIR: '/srv/devices', DATABASE_URL: 'file:///srv/devices-2/swarmdeck.db' };
    expect(catchError(() => read(beside)).message).toContain('SECRET');
    expect(read({ DATABASE_URL: 'file:///srv/elsewhere.db', SECRET: 'x'.repeat(32) }).databaseUrl).toBe(
      'file:///srv/elsewhere.db',
    );
  });

  test('a missing SECRET is told beside another one that is too short, and one that is too short is not missing', () => {
    const env = { DATABASE_URL: 'postgres://host/swarmdeck' };
    const { message } = catchError(() => read({ ...env, SECRET_BEFORE: 'short' }));
    expect(message).toContain('SECRET_BEFORE="***"');
    expect(message).toContain('SECRET: must be set');
    for (const short of [{ SECRET: 'short' }, { SECRET_FILE: '/nowhere' }])
      expect(catchError(() => read({ ...env, ...short })).message).not.toContain('must be set');
  });

  test.each([
    ['on', 1],
    ['off', Number.POSITIVE_INFINITY],
    ['0.5', 0.5],
  ])('RATE_LIMIT=%s is the factor %d', (text, factor) => {
    expect(read({ RATE_LIMIT: text }).rateLimit).toBe(factor);
  });

  test('MESSAGES_MB is off or a number above 0', () => {
    expect(read({ MESSAGES_MB: 'off' }).messageBytes).toBe(Number.POSITIVE_INFINITY);
    expect(read({ MESSAGES_MB: '0.5' }).messageBytes).toBe(500_000);
    expect(() => read({ MESSAGES_MB: '0' })).toThrow('MESSAGES_MB');
  });

  test.each(['file:///srv/a%2fb.db', 'file://server/a.db', 'file:relative.db', 'file:///srv/a.db?mode=ro'])(
    'DATABASE_URL=%s is refused',
    (url) => {
      expect(() => read({ DATABASE_URL: url })).toThrow('DATABASE_URL=');
    },
  );

  test('PUBLIC_URL is an origin', () => {
    expect(read({ PUBLIC_URL: 'https://devices.example.org/' }).publicUrl).toBe('https://devices.example.org');
    expect(() => read({ PUBLIC_URL: 'https://devices.example.org/path' })).toThrow('PUBLIC_URL');
  });
});

function catchError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('providers of single sign-on', () => {
  const home = {
    OIDC_HOME_ISSUER: 'https://id.example.org',
    OIDC_HOME_CLIENT_ID: 'swarmdeck',
    OIDC_HOME_CLIENT_SECRET: 's',
  };

  test('three settings are enough, and each may have more', () => {
    expect(read(home).oidcProviders).toEqual([
      {
        name: 'home',
        label: 'Home',
        issuer: 'https://id.example.org',
        clientId: 'swarmdeck',
        clientSecret: 's',
        scope: 'openid profile',
        operator: undefined,
      },
    ]);
    const more = {
      OIDC_HOME_LABEL: 'Our house',
      OIDC_HOME_SCOPE: 'openid groups',
      OIDC_HOME_OPERATOR: 'groups=our operators',
    };
    expect(read({ ...home, ...more }).oidcProviders).toMatchObject([
      { label: 'Our house', scope: 'openid groups', operator: { claim: 'groups', value: 'our operators' } },
    ]);
  });

  test('all that is wrong is reported, and no secret', () => {
    const { message } = catchError(() =>
      read({
        OIDC_HOME_ISSUER: 'http://id.example.org',
        OIDC_HOME_CLIENT_SECRET: 'a secret',
        OIDC_HOME_OPERATOR: 'operators',
        OIDC_HOME_SCOPE: 'profile',
        OIDC_WORK_CLIENTID: 'swarmdeck',
        OIDC_PASSWORD_ISSUER: 'https://id.example.org',
        OIDC_ONLY: 'yes',
      }),
    );
    for (const name of [
      'HOME_ISSUER',
      'HOME_CLIENT_ID',
      'HOME_OPERATOR',
      'HOME_SCOPE',
      'WORK_CLIENTID',
      'PASSWORD',
      'ONLY',
    ])
      expect(message).toContain(`OIDC_${name}`);
    expect(message).not.toContain('a secret');
    // A provider that cannot be read is not missing.
    const one = catchError(() => read({ OIDC_HOME_ISSUER: 'https://id.example.org', OIDC_ONLY: 'on' })).message;
    expect(one).toContain('OIDC_HOME_CLIENT_ID');
    expect(one).not.toContain('nobody could sign in');
    for (const env of [{}, { OIDC_HOME_ISSUER: '' }])
      expect(catchError(() => read({ ...env, OIDC_ONLY: 'on' })).message).toContain('OIDC_ONLY: nobody could sign in');
  });
});
