import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './fixtures.ts';
import { startServer, type Server } from './server.ts';
import { streetArchive, type Schema } from './street-archive.ts';
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

interface Streets {
  /** Starts the server again, with a city in these layers. */
  showCity(schema: Schema): Promise<void>;
}

/** The journeys' `test`, with a server that has a file of vector tiles. */
export const streetsTest = base.extend<Streets, { mapFile: string; server: Server }>({
  mapFile: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'swarmdeck-e2e-map-'));
      await use(join(folder, 'harbour.pmtiles'));
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mapFile }, use) => {
      await writeFile(mapFile, streetArchive());
      const server = await startServer({ env: { MAP_FILE: mapFile } });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  showCity: async ({ server, mapFile }, use) => {
    await use(async (schema) => {
      await server.end();
      await writeFile(mapFile, streetArchive({ schema }));
      await server.again();
    });
    await server.end();
    await writeFile(mapFile, streetArchive());
    await server.again();
  },
});
