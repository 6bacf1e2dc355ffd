import { createElementObject, createTileLayerComponent } from '@react-leaflet/core';
import { GridLayer } from 'leaflet';
import type { Coords, DoneCallback, LayerOptions, Map as LeafletMap } from 'leaflet';
import { drawBasemap } from './basemap.draw.ts';
import { TILE, worldSize } from './mercator.ts';
import type { Palette } from './palette.ts';
import { worldSource } from './world.load.ts';

/** Tiles overlap by a pixel, or the sea shines through the seams at zooms between two levels. */
const OVERLAP = 1;
/** How long tiles are painted in one go, in ms, before the page gets its turn. */
const SLICE = 8;

interface Tile {
  coords: Coords;
  canvas: HTMLCanvasElement;
  /** How large the tile was shown when it was painted: 1 at whole zooms. */
  zoomScale: number;
  done?: DoneCallback | undefined;
}

/**
 * The built-in basemap. Tiles are painted a few at a time, and painted again in place when the colours change, when
 * a finer world has come, and when the zoom rests between two levels: so lines are sharp and 1 px at every zoom.
 */
class Basemap extends GridLayer {
  private readonly tiles = new Map<HTMLElement, Tile>();
  private readonly waiting = new Set<Tile>();
  private palette: Palette;
  private frame = 0;
  private stopWatching: () => void = () => {};

  constructor({ palette }: { palette: Palette }) {
    super({ tileSize: TILE, className: 'map-basemap', updateWhenZooming: false, keepBuffer: 1 });
    this.palette = palette;
  }

  override onAdd(map: LeafletMap): this {
    this.on('tileunload', ({ tile }) => this.forget(tile));
    map.on('zoomend', this.sharpen, this);
    this.stopWatching = worldSource.subscribe(() => this.paintAll());
    return super.onAdd(map);
  }

  override onRemove(map: LeafletMap): this {
    this.stopWatching();
    map.off('zoomend', this.sharpen, this);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    super.onRemove(map);
    this.tiles.clear();
    this.waiting.clear();
    return this;
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.paintAll();
  }

  override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    const tile: Tile = { coords, canvas, zoomScale: 0, done };
    this.tiles.set(canvas, tile);
    this.queue([tile]);
    return canvas;
  }

  private forget(element: HTMLElement): void {
    const tile = this.tiles.get(element);
    if (tile) this.waiting.delete(tile);
    this.tiles.delete(element);
  }

  private paintAll(): void {
    this.queue(this.tiles.values());
  }

  private sharpen(): void {
    const stale = (tile: Tile) => Math.abs(tile.zoomScale - this.zoomScale(tile)) > 1e-3;
    this.queue([...this.tiles.values()].filter(stale));
  }

  private queue(tiles: Iterable<Tile>): void {
    for (const tile of tiles) this.waiting.add(tile);
    if (this.frame === 0 && this.waiting.size > 0) this.frame = requestAnimationFrame(() => this.paintSome());
  }

  private paintSome(): void {
    const started = performance.now();
    for (const tile of this.waiting) {
      if (performance.now() - started > SLICE) break;
      this.waiting.delete(tile);
      this.paint(tile);
      tile.done?.(undefined, tile.canvas);
      tile.done = undefined;
    }
    this.frame = 0;
    this.queue([]);
  }

  private paint(tile: Tile): void {
    const { canvas, coords } = tile;
    tile.zoomScale = this.zoomScale(tile);
    const shown = (TILE + OVERLAP) * tile.zoomScale;
    canvas.width = canvas.height = Math.round(shown * devicePixelRatio);
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) return;
    const sharp = canvas.width / shown;
    context.scale(sharp, sharp);
    const scale = worldSize(coords.z) * tile.zoomScale;
    const corner = { left: coords.x * TILE * tile.zoomScale, top: coords.y * TILE * tile.zoomScale };
    drawBasemap({
      context,
      world: worldSource.at(coords.z),
      palette: this.palette,
      frame: { scale, ...corner, width: shown, height: shown },
    });
  }

  /** Tiles of the level that is leaving stay as they are. */
  private zoomScale({ coords }: Tile): number {
    const zoom = this._map.getZoom();
    return Math.round(zoom) === coords.z ? 2 ** (zoom - coords.z) : 1;
  }
}

export interface BasemapLayerProps extends LayerOptions {
  palette: Palette;
}

export const BasemapLayer = createTileLayerComponent<Basemap, BasemapLayerProps>(
  ({ palette }, context) => createElementObject(new Basemap({ palette }), context),
  (layer, { palette }, { palette: before }) => {
    if (palette !== before) layer.setPalette(palette);
  },
);
