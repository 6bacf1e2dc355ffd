import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startServer, type Server } from './server.ts';

const root = dirname(import.meta.dirname);
const app = 'web/dist';

interface OlderServer extends Server, AsyncDisposable {
  /** Restarts it with the app of this clone. */
  update(): Promise<void>;
}

/** A server in a copy of this clone, whose app has files with other names and contents, as those of an older version. */
export async function startOlderServer(): Promise<OlderServer> {
  const clone = await mkdtemp(join(tmpdir(), 'swarmdeck-e2e-clone-'));
  const copy = (path: string) => cp(join(root, path), join(clone, path), { recursive: true });
  await Promise.all(['bff/src', 'bff/package.json', 'package.json', app].map(copy));
  for (const path of ['node_modules', 'bff/node_modules', '.tools']) await symlink(join(root, path), join(clone, path));
  await renameFiles(join(clone, app));
  const server = await startServer({ clone });
  return {
    ...server,
    async update() {
      await server.end();
      await rm(join(clone, app), { recursive: true });
      await copy(app);
      await server.again();
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(clone, { recursive: true });
    },
  };
}

/** Adds `.older` to the names of scripts and styles, where they are and where they are used. */
async function renameFiles(folder: string) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(html|js|css)$/.test(file));
  const names = files.filter((file) => /^assets.+\.(js|css)$/.test(file)).map((file) => file.slice('assets/'.length));
  const used = new RegExp(`(?<=[/"\`])(${names.join('|').replaceAll('.', String.raw`\.`)})`, 'g');
  const olderName = (name: string) => name.replace(/(?=\.\w+$)/, '.older');
  for (const file of files) {
    const path = join(folder, file);
    const text = (await readFile(path, 'utf8')).replaceAll(used, olderName);
    // The service worker fetches the page again if its revision has changed.
    await writeFile(path, text.replace('"/index.html","revision":"', '$&older-'));
    if (file.startsWith('assets')) await rename(path, olderName(path));
  }
}
