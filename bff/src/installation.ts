/**
 * Where this program is: in a clone, or in a package that `.tools/release.ts` has built. Its files are two folders below
 * the root in both.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Only a clone may store data in its folder: an update of a package deletes the package's folder. */
export const clone = import.meta.filename.endsWith('.ts') ? root : undefined;

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
