import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (env: Record<string, string>) => readConfig({ env, root: '/srv/clone' });

describe('settings', () => {
  test('everything has a default', () => {
    expect(read({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: '/srv/clone/data',
      databaseUrl: 'file:///srv/clone/data/swarmdeck.db',
      secret: undefined,
      signUp: 'open',
      rateLimit: 1,
      logLevel: 'info',
      trustedProxies: [],
      tileUrl: undefined,
      tileAttribution: undefined,
    });
  });

  test('all faults are named at once', () => {
    const env = {
      PORT: '70000',
      PUBLIC_URL: 'example.org',
      SECRET: 'short',
      SIGN_UP: 'maybe',
      RATE_LIMIT: '-1',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: 'a b',
      DATABASE_URL: 'postgres://x/y',
      HOST: 'a b',
      TILE_URL: 'https://{s}.example.org/{z}/{x}/{y}.png',
      TILE_ATTRIBUTION: '<b>me</b>',
    };
    const error = catchError(() => read(env));
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of Object.keys(env)) expect(error.message).toContain(`${name}=`);
  });

  test('a database outside of the data folder demands a secret', () => {
    expect(catchError(() => read({ DATABASE_URL: 'file:///srv/elsewhere.db' })).message).toContain('SECRET');
    expect(read({ DATABASE_URL: 'file:///srv/elsewhere.db', SECRET: 'x'.repeat(32) }).databaseUrl).toBe(
      'file:///srv/elsewhere.db',
    );
  });

  test.each([
    ['on', 1],
    ['off', Number.POSITIVE_INFINITY],
    ['0.5', 0.5],
  ])('RATE_LIMIT=%s is the factor %d', (text, factor) => {
    expect(read({ RATE_LIMIT: text }).rateLimit).toBe(factor);
  });

  test('the public address is an origin', () => {
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
