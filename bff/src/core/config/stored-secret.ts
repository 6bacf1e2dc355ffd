import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, longEnough, secretLength, type Config } from './config.ts';

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
