import type { MapTiles } from '@swarmdeck/bff/contract';
import { paint, PmtilesSource, TileCache, View, type PreparedTile } from 'protomaps-leaflet';
import { loadBytes } from '../../../api/client.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { pixelRatio } from '../canvas/padded-layer.ts';
import { TILE } from '../geometry/mercator.ts';
import type { TileRequest } from '../tiles/map-tiles.api.ts';
import type { LoadTile } from '../tiles/tile-layer.ts';
import { streetPaintRules } from './street-rules.ts';

/** A vector tile is drawn as the four tiles of the next zoom, as the Protomaps basemap is designed for. */
const LEVELS = 1;
/** Tiles overlap by a pixel, so that the built-in map does not show through the seams. */
const OVERLAP = 1;
/** How far outside a tile a feature can be whose line is visible in it, in px. */
const WIDEST_LINE = 16;

/** The tiles of the server. Decoded ones are cached. */
export function createView({ covers }: MapTiles): View {
  // The package reads archives. Ours is on the server, which answers with a tile.
  const archive = {
    getZxy: async (z: number, x: number, y: number) => ({ data: await loadBytes(`/api/tiles/${z}/${x}/${y}`) }),
  };
  const source = new PmtilesSource(archive as ConstructorParameters<typeof PmtilesSource>[0] & typeof archive, true);
  return new View(new TileCache(source, TILE << LEVELS), covers?.max_zoom ?? 14, LEVELS);
}

export type StreetTiles = ReturnType<typeof createStreetTiles>;

/** Draws vector tiles. */
export function createStreetTiles({ view, colours }: { view: View; colours: MapColours }) {
  const rules = streetPaintRules(colours);
  const shown = new Set<PreparedTile>();
  let onChange = () => {};

  const load: LoadTile = async (request, signal) => {
    const tile = await view.getDisplayTile(request);
    // Several tiles wait for the same vector tile. Each is drawn in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    shown.add(tile);
    signal.addEventListener('abort', () => shown.delete(tile));
    onChange();
    return (canvas) => draw(canvas, request, tile);
  };

  function draw(canvas: HTMLCanvasElement, { z, x, y, scale }: TileRequest, tile: PreparedTile): boolean {
    const context = canvas.getContext('2d');
    if (!context) return false;
    const [west, north] = [x * TILE, y * TILE];
    const size = TILE + OVERLAP;
    const ratio = pixelRatio(canvas) * Math.max(1, scale);
    canvas.width = canvas.height = Math.round(size * ratio);
    canvas.style.width = canvas.style.height = `${size}px`;
    context.setTransform(ratio, 0, 0, ratio, (tile.origin.x - west) * ratio, (tile.origin.y - north) * ratio);
    // Without these layers, the land and the sea of the built-in map are visible.
    if (tile.data.has('earth') || tile.data.has('water')) {
      context.fillStyle = colours.sea;
      context.fillRect(west - tile.origin.x, north - tile.origin.y, size, size);
    }
    const box = {
      minX: west - WIDEST_LINE,
      minY: north - WIDEST_LINE,
      maxX: west + size + WIDEST_LINE,
      maxY: north + size + WIDEST_LINE,
    };
    paint(context, z, new Map([['', [tile]]]), null, rules, box, tile.origin, false);
    return true;
  }

  return {
    load,
    /** The vector tiles that are shown at this zoom. */
    at: (zoom: number) => [...shown].filter(({ z }) => z === zoom),
    subscribe(listener: () => void) {
      onChange = listener;
      return () => void (onChange = () => {});
    },
  };
}
