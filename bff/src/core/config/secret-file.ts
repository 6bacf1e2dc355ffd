import { readFileSync } from 'node:fs';

/** Without white space at its start and its end; undefined if it cannot be read. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
