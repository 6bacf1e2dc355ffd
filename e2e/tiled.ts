import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base } from './fixtures.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';
import { startTileServer } from './tile-server.ts';
import type { TileManners, TileServer } from './tile-server.ts';

interface Tiled {
  /** The server has never asked the tile server for anything, which from now on behaves like this. */
  behave(manners: TileManners): Promise<void>;
  /** How many tiles are kept, and how many bytes they have. */
  kept(): Promise<{ files: number; bytes: number }>;
}

/** The journeys' test, with a server that has a tile server. */
export const test = base.extend<Tiled, { tiles: TileServer; server: Server }>({
  tiles: [
    async ({}, use) => {
      const tiles = await startTileServer();
      await use(tiles);
      await tiles.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ tiles }, use) => {
      const TILE_ATTRIBUTION = '© Harbour maps https://maps.example.org/about';
      const server = await startServer({ env: { TILE_URL: tiles.template, TILE_ATTRIBUTION } });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  behave: async ({ server, tiles }, use) =>
    use(async (manners) => {
      await server.end();
      await rm(join(server.dataDir, 'tile-cache'), { recursive: true, force: true });
      tiles.manners = manners;
      tiles.asked.length = 0;
      await server.again();
    }),
  kept: async ({ server }, use) =>
    use(async () => {
      const folder = join(server.dataDir, 'tile-cache');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      // what is just being written may be gone before it is looked at
      const kept = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.new'));
      const files = kept.map(({ parentPath, name }) => join(parentPath, name));
      const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
      return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
});
