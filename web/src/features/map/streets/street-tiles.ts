import type { MapTiles, TileLayers } from '@swarmdeck/bff/contract';
import type { LoadTile, TileRequest } from '../tiles/map-tiles.api.ts';
import { readStreetLook } from './street-look.ts';
import { streetWorker } from './street-worker.ts';
import type { NamesRequest } from './streets.draw.ts';

export type StreetTiles = ReturnType<typeof createStreetTiles>;

/** Vector tiles in the colours of the current theme, and their names. */
export function createStreetTiles({ covers, layers }: { covers: MapTiles['covers']; layers: TileLayers }) {
  const drawing = { look: readStreetLook(), layers, maxZoom: covers?.max_zoom ?? 14 };
  const shown = new Set<TileRequest>();
  let onChange = () => {};

  async function call(request: { tile: TileRequest } | { names: NamesRequest }) {
    const reply = await streetWorker.call({ ...drawing, ...request });
    if (reply === 'failed') throw new Error('The tile cannot be loaded or drawn');
    return reply;
  }

  const load: LoadTile = async (tile, signal) => {
    const { picture } = await call({ tile });
    signal.throwIfAborted();
    shown.add(tile);
    signal.addEventListener('abort', () => shown.delete(tile));
    onChange();
    return picture;
  };

  return {
    load,
    /** Draws the names in the tiles that are shown at the zoom. */
    names: (request: Omit<NamesRequest, 'tiles'>) =>
      call({ names: { ...request, tiles: [...shown].filter(({ z }) => z === request.zoom) } }),
    subscribe(listener: () => void) {
      onChange = listener;
      return () => void (onChange = () => {});
    },
  };
}
