import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './fixtures.ts';
import { startServer, type Server } from './server.ts';
import { streetArchive } from './street-archive.ts';
import { startTileServer, type TileBehaviour, type TileServer } from './tile-server.ts';

interface Tiled {
  /** Starts the server again, with an empty tile cache. The tile server then behaves like this. */
  behave(behaviour: TileBehaviour): Promise<void>;
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
      tiles.behaviour = behaviour;
      tiles.requests.length = 0;
      await server.again();
    }),
});

/** The journeys' `test`, with a server that has a file of vector tiles. */
export const streetsTest = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'swarmdeck-e2e-map-'));
      const MAP_FILE = join(folder, 'harbour.pmtiles');
      await writeFile(MAP_FILE, streetArchive());
      const server = await startServer({ env: { MAP_FILE } });
      await use(server);
      await server.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});
