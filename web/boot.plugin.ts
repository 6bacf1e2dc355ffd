import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin } from 'vite';

/** Minifies `public/boot.js`, which the build otherwise copies as it is, and which every page waits for. */
export const boot: Plugin = {
  name: 'boot',
  // the build for the journeys has no public files
  apply: ({ publicDir }, { command }) => command === 'build' && publicDir !== false,
  async writeBundle({ dir }) {
    const file = join(dir!, 'boot.js');
    const { code, errors } = await minify(file, await readFile(file, 'utf8'));
    if (errors.length > 0) throw new Error(errors[0]!.message);
    await writeFile(file, code);
  },
};
