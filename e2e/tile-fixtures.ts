import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base } from './fixtures.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';
import { startTileServer } from './tile-server.ts';
import type { TileBehaviour, TileServer } from './tile-server.ts';

interface Tiled {
  /** Starts a server with an empty tile cache. The tile server then behaves like this. */
  behave(behaviour: TileBehaviour): Promise<void>;
  /** Number and total size in bytes of the cached tiles. */
  cachedTiles(): Promise<{ files: number; bytes: number }>;
}

/** The journeys' `test`, with a server that uses a tile server. */
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
    use(async (behaviour) => {
      await server.end();
      await rm(join(server.dataDir, 'tile-cache'), { recursive: true, force: true });
      tiles.behaviour = behaviour;
      tiles.requests.length = 0;
      await server.again();
    }),
  cachedTiles: async ({ server }, use) =>
    use(async () => {
      const folder = join(server.dataDir, 'tile-cache');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      // a file that is being written may disappear before it is read
      const cached = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.new'));
      const files = cached.map(({ parentPath, name }) => join(parentPath, name));
      const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
      return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
});
