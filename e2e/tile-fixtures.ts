import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './fixtures.ts';
import { startServer } from './server.ts';
import { streetArchive, type Schema } from './street-archive.ts';
import { startTileServer, type TileBehaviour, type TileServer } from './tile-server.ts';

interface Tiled {
  tiles: TileServer;
  /** Starts the server again, with an empty tile cache. The tile server then behaves like this. */
  behave(behaviour: TileBehaviour): Promise<void>;
}

async function startWithTiles() {
  const tiles = await startTileServer();
  const TILE_ATTRIBUTION = '© Harbour maps https://maps.example.org/about';
  const server = await startServer({ env: { TILE_URL: tiles.template, TILE_ATTRIBUTION } });
  const stop = async () => {
    await server.stop();
    await tiles.close();
  };
  return { tiles, server, stop };
}

/** The journeys' `test`, with a server that uses a tile server. */
export const test = base.extend<Tiled>({
  tiles: async ({ share }, use) => use((await share(startWithTiles)).tiles),
  server: async ({ share }, use) => use((await share(startWithTiles)).server),
  behave: async ({ server, tiles }, use) =>
    use(async (behaviour) => {
      await server.end();
      tiles.behaviour = behaviour;
      tiles.requests.length = 0;
      await server.again();
    }),
});

interface Streets {
  mapFile: string;
  /** Starts the server again, with a city in these layers. */
  showCity(schema: Schema): Promise<void>;
}

async function startWithStreets() {
  const folder = await mkdtemp(join(tmpdir(), 'swarmdeck-e2e-map-'));
  const mapFile = join(folder, 'harbour.pmtiles');
  await writeFile(mapFile, streetArchive());
  const server = await startServer({ env: { MAP_FILE: mapFile } });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { mapFile, server, stop };
}

/** The journeys' `test`, with a server that has a file of vector tiles. */
export const streetsTest = base.extend<Streets>({
  mapFile: async ({ share }, use) => use((await share(startWithStreets)).mapFile),
  server: async ({ share }, use) => use((await share(startWithStreets)).server),
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
