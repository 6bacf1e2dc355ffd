import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import {
  GridLayer,
  type Coords,
  type DoneCallback,
  type GridLayerOptions,
  type LeafletEventHandlerFn,
  type Map as LeafletMap,
  type TileEvent,
} from 'leaflet';
import type { MapColours } from '../canvas/map-colours.ts';
import { pixelRatio } from '../canvas/padded-layer.ts';
import { TILE, worldSize } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';
import { MAX_ZOOM } from '../geometry/view.ts';
import { drawBasemap } from './basemap.draw.ts';
import { worldSource } from './world.load.ts';
import type { World } from './world.ts';

/** Tiles overlap by a pixel, so that the sea does not show through the seams at fractional zooms. */
const OVERLAP = 1;
/** The longest time in ms for painting tiles before the page gets control again. */
const SLICE = 8;

interface Tile {
  canvas: HTMLCanvasElement;
  coords: Coords;
  done: DoneCallback;
  /** The scale of the tile when it was painted: 1 at whole zooms, 0 before the first time. */
  zoomScale: number;
}

/**
 * The built-in basemap. A few tiles are painted at a time. They are painted again when the colours change, when a more
 * detailed world is loaded, and when the map settles at a fractional zoom, so that lines are sharp and 1 px wide at
 * every zoom.
 */
class Basemap extends GridLayer {
  private readonly painted = new Map<HTMLElement, Tile>();
  private readonly undrawn = new Set<Tile>();
  private colours: MapColours;
  private frame = 0;
  private stopWatching: () => void = () => {};

  constructor({ colours }: { colours: MapColours }) {
    super({
      className: 'map-basemap',
      maxZoom: MAX_ZOOM,
      updateWhenIdle: false,
      updateWhenZooming: false,
      updateInterval: 30,
      keepBuffer: 1,
    });
    this.colours = colours;
    this.on('tileunload', ({ tile }: TileEvent) => {
      const unloaded = this.painted.get(tile);
      if (unloaded) this.undrawn.delete(unloaded);
      this.painted.delete(tile);
    });
  }

  override onAdd(map: LeafletMap): this {
    super.onAdd(map);
    this.stopWatching = worldSource.subscribe(() => this.paintAll());
    return this;
  }

  override onRemove(map: LeafletMap): this {
    this.stopWatching();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    return super.onRemove(map);
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    const {
      viewprereset: _removesAllTiles,
      moveend,
      ...events
    } = super.getEvents!() as Record<string, LeafletEventHandlerFn>;
    return {
      ...events,
      moveend: (event) => {
        moveend?.call(this, event);
        this.queue([...this.painted.values()].filter((tile) => Math.abs(tile.zoomScale - this.zoomScale(tile)) > 1e-3));
      },
    };
  }

  setColours(colours: MapColours): void {
    this.colours = colours;
    this.paintAll();
  }

  /** Tiles beyond the poles are valid too, because a tall screen shows them. */
  protected _isValidTile(): boolean {
    return true;
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    canvas.className = 'map-tile';
    const tile: Tile = { canvas, coords, done, zoomScale: 0 };
    this.painted.set(canvas, tile);
    this.queue([tile]);
    return canvas;
  }

  private paintAll(): void {
    this.queue(this.painted.values());
  }

  private queue(tiles: Iterable<Tile>): void {
    for (const tile of tiles) this.undrawn.add(tile);
    // Tiles without land would show all as sea. What they need is requested, too.
    const hasLand = this._map && [...this.undrawn].filter((tile) => this.landOf(tile).length > 0).length > 0;
    if (this.undrawn.size > 0 && this.frame === 0 && hasLand)
      this.frame = requestAnimationFrame(() => this.paintSome());
  }

  private paintSome(): void {
    const started = performance.now();
    // Read once: each canvas that is painted makes the browser compute styles anew.
    const ratio = pixelRatio(this._map.getContainer());
    for (const tile of this.undrawn) {
      if (performance.now() - started > SLICE) break;
      this.undrawn.delete(tile);
      this.paint(tile, ratio);
    }
    this.frame = 0;
    this.queue([]);
  }

  private paint(tile: Tile, ratio: number): void {
    const { canvas, coords, done } = tile;
    const context = canvas.getContext('2d', { alpha: false });
    const land = this.landOf(tile);
    if (context === null || land.length === 0) return;
    const isFirst = tile.zoomScale === 0;
    tile.zoomScale = this.zoomScale(tile);
    const shown = (TILE + OVERLAP) * tile.zoomScale;
    canvas.width = canvas.height = Math.round(shown * ratio);
    canvas.style.width = canvas.style.height = `${TILE + OVERLAP}px`;
    const sharp = canvas.width / shown;
    context.scale(sharp, sharp);
    const waters = worldSource.watersWithin(coords.z, frameOf(coords, 1));
    const frame = frameOf(coords, tile.zoomScale);
    drawBasemap({ context, land, waters, colours: this.colours, frame });
    if (isFirst) done(undefined, canvas);
  }

  private landOf({ coords }: Tile): readonly World[] {
    return worldSource.within(coords.z, frameOf(coords, 1));
  }

  /** The tiles of a level that is being replaced are not painted again. */
  private zoomScale({ coords }: Tile): number {
    const zoom = this._map.getZoom();
    return Math.round(zoom) === coords.z ? 2 ** (zoom - coords.z) : 1;
  }
}

/** The part of the world of a tile. */
function frameOf({ x, y, z }: Coords, zoomScale: number): Frame {
  const size = (TILE + OVERLAP) * zoomScale;
  const [left, top] = [x * TILE * zoomScale, y * TILE * zoomScale];
  return { scale: worldSize(z) * zoomScale, left, top, width: size, height: size };
}

interface BasemapLayerProps extends GridLayerOptions {
  colours: MapColours;
}

export const BasemapLayer = createLayerComponent<Basemap, BasemapLayerProps>(
  ({ colours }, context) => createElementObject(new Basemap({ colours }), context),
  (layer, { colours }, { colours: before }) => {
    if (colours !== before) layer.setColours(colours);
  },
);
