import type { MapTiles } from '@swarmdeck/bff/contract';
import {
  GridLayer,
  type Coords,
  type DoneCallback,
  type GridLayerOptions,
  type LatLngBoundsLiteral,
  type Map as LeafletMap,
  type TileEvent,
} from 'leaflet';
import { layerComponent, pixelRatio } from '../canvas/padded-layer.ts';
import { TILE } from '../geometry/mercator.ts';
import { MAX_ZOOM } from '../geometry/view.ts';
import { leastZoomOf } from './tiled-part.ts';
import { limitLoads, type LoadTile, type TileRequest } from './map-tiles.api.ts';
import './tile-layer.css';

/** Concurrent requests. Browsers have six connections per host, one of which has the event stream. */
const AT_ONCE = 3;
/** Failed tiles are requested again after this time in ms, because nobody presses a button on a wall display. */
const AGAIN = 30_000;
/** The maximum size of a tile image, in pixels. */
const LARGEST = 2048;

/** The number of tiles by state. */
export interface TileCounts {
  loading: number;
  shown: number;
  /** The server has no tile there. */
  missing: number;
  failed: number;
}

interface Shown {
  canvas: HTMLCanvasElement;
  request: TileRequest;
  state: keyof TileCounts;
  /** Aborted when the map no longer needs the tile. */
  needed: AbortController;
}

interface TileLayerProps extends GridLayerOptions {
  source: MapTiles;
  load: LoadTile;
  onCounts: (counts: TileCounts) => void;
}

/** Tiles over the built-in map, which is visible where a tile is missing or loading. A new `load` draws them again. */
export class TileLayer extends GridLayer {
  private readonly loadInTurn = limitLoads<TileRequest, ImageBitmap | null>({
    atOnce: AT_ONCE,
    load: (request, signal) => this.state.load(request, signal),
  });
  private readonly shown = new Map<HTMLElement, Shown>();
  private state: TileLayerProps;
  private counting = 0;
  private again = 0;

  constructor(state: TileLayerProps) {
    super({
      className: `map-${state.source.kind}`,
      maxZoom: MAX_ZOOM,
      updateWhenZooming: false,
      keepBuffer: 1,
      ...areaOf(state.source),
    });
    this.state = state;
    this.on('tileunload', ({ tile }: TileEvent) => this.drop(tile));
  }

  override onRemove(map: LeafletMap): this {
    super.onRemove(map);
    clearTimeout(this.again);
    cancelAnimationFrame(this.counting);
    this.again = this.counting = 0;
    return this;
  }

  setState(state: TileLayerProps): void {
    const isNew = state.load !== this.state.load;
    this.state = state;
    if (isNew) for (const tile of this.shown.values()) void this.load(tile);
  }

  /** Requests failed tiles again. */
  retry(): void {
    clearTimeout(this.again);
    this.again = 0;
    for (const tile of this.shown.values()) if (tile.state === 'failed') void this.load(tile);
  }

  protected override createTile({ z, x, y }: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    canvas.className = 'map-raster-tile';
    canvas.ariaHidden = 'true';
    const retina = this.state.source.retina && devicePixelRatio > 1;
    const scale = Math.max(1, 2 ** (this._map.getZoom() - z));
    const ratio = Math.min(LARGEST / TILE, pixelRatio(this._map.getContainer()) * scale);
    const request = { z, x, y, retina, ratio };
    const tile: Shown = { canvas, request, state: 'loading', needed: new AbortController() };
    this.shown.set(canvas, tile);
    void this.load(tile, done);
    return canvas;
  }

  private async load(tile: Shown, done?: DoneCallback): Promise<void> {
    const { request, canvas, needed } = tile;
    const { load } = this.state;
    tile.state = 'loading';
    this.count();
    try {
      const picture = await this.loadInTurn(request, needed.signal);
      needed.signal.throwIfAborted();
      if (load !== this.state.load) return;
      tile.state = picture === null ? 'missing' : paint(canvas, picture) ? 'shown' : 'failed';
      done?.(undefined, canvas);
    } catch (error) {
      if (needed.signal.aborted || load !== this.state.load) return;
      tile.state = 'failed';
      done?.(error as Error, canvas);
    }
    this.count();
  }

  private drop(canvas: HTMLElement): void {
    this.shown.get(canvas)?.needed.abort();
    this.shown.delete(canvas);
    this.count();
  }

  /** Reports the counts once per frame. */
  private count(): void {
    this.counting ||= requestAnimationFrame(() => {
      this.counting = 0;
      const counts: TileCounts = { loading: 0, shown: 0, missing: 0, failed: 0 };
      for (const { state } of this.shown.values()) counts[state] += 1;
      if (counts.failed > 0) this.again ||= window.setTimeout(() => this.retry(), AGAIN);
      this.state.onCounts(counts);
    });
  }
}

/** Where a file has tiles. Its deepest ones are enlarged. */
function areaOf(source: MapTiles): GridLayerOptions {
  const { kind, covers } = source;
  if (!covers) return {};
  const [west, south, east, north] = covers.bbox;
  const bounds: LatLngBoundsLiteral = [
    [south, west],
    [north, east],
  ];
  return kind === 'raster'
    ? { bounds, minZoom: leastZoomOf(source), maxNativeZoom: covers.max_zoom }
    : // `streets.draw.ts` enlarges its deepest tiles, without making lines wider.
      { bounds, minZoom: leastZoomOf(source), noWrap: true };
}

/**
 * Draws the image one pixel larger, so that the built-in map does not show through the seams at fractional zooms.
 * Returns false if the size of the image is invalid.
 */
function paint(canvas: HTMLCanvasElement, picture: ImageBitmap): boolean {
  const side = picture.width;
  const context = canvas.getContext('2d');
  if (context === null || side === 0 || side > LARGEST || picture.height !== side) return false;
  const edge = Math.ceil(side / TILE);
  canvas.width = canvas.height = side + edge;
  canvas.style.width = canvas.style.height = `${((side + edge) / side) * TILE}px`;
  context.drawImage(picture, 0, 0);
  context.drawImage(picture, side - 1, 0, 1, side, side, 0, edge, side);
  context.drawImage(canvas, 0, side - 1, side + edge, 1, 0, side, side + edge, edge);
  picture.close();
  return true;
}

export const Tiles = layerComponent(TileLayer);
