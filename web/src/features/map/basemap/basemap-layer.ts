import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import { DomUtil, Layer } from 'leaflet';
import type { LayerOptions, LeafletEventHandlerFn, Map as LeafletMap, ZoomAnimEvent } from 'leaflet';
import type { MapColours } from '../canvas/map-colours.ts';
import { pixelRatio } from '../canvas/padded-layer.ts';
import type { Box } from '../geometry/boxes.ts';
import { TILE, worldSize } from '../geometry/mercator.ts';
import { pixelOriginAt } from '../geometry/frame.ts';
import { Level } from './basemap-level.ts';
import type { Tile } from './basemap-level.ts';
import { drawBasemap } from './basemap.draw.ts';
import { worldSource } from './world.load.ts';

/** Tiles overlap by a pixel, so that the sea does not show through the seams at fractional zooms. */
const OVERLAP = 1;
/** The longest time in ms for painting tiles before the page gets control again. */
const SLICE = 8;
/** The maximum number of levels: the current one, above those that replace it until it is painted. */
const LEVELS = 3;

/**
 * The built-in basemap. A few tiles are painted at a time. They are painted again when the colours change, when a more
 * detailed world is loaded, and when the map settles at a fractional zoom, so that lines are sharp and 1 px wide at
 * every zoom.
 */
class Basemap extends Layer {
  private readonly element = DomUtil.create('div', 'map-basemap');
  /** The current level is the last one. */
  private levels: Level[] = [];
  private readonly waiting = new Set<Tile>();
  private colours: MapColours;
  private frame = 0;
  private stopWatching: () => void = () => {};

  constructor({ colours }: { colours: MapColours }) {
    super();
    this.colours = colours;
  }

  override onAdd(map: LeafletMap): this {
    map.getPane('tilePane')?.append(this.element);
    this.stopWatching = worldSource.subscribe(() => this.paintAll());
    this.rest();
    return this;
  }

  override onRemove(): this {
    this.stopWatching();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.waiting.clear();
    this.keepLevels(0);
    this.element.remove();
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      zoomanim: (event) => {
        const { center, zoom } = event as ZoomAnimEvent;
        const pixelOrigin = pixelOriginAt({ map: this._map, center, zoom });
        for (const level of this.levels) level.place({ pixelOrigin, zoom });
      },
      zoom: () => this.place(),
      viewreset: () => this.place(),
      move: () => this.follow(),
      moveend: () => this.rest(),
    };
  }

  setPalette(colours: MapColours): void {
    this.colours = colours;
    this.paintAll();
  }

  private place(): void {
    const pixelOrigin = this._map.getPixelOrigin();
    for (const level of this.levels) level.place({ pixelOrigin, zoom: this._map.getZoom() });
  }

  /** During a zoom animation the existing level is scaled, so that intermediate levels are not painted. */
  private follow(): void {
    const zoom = this._map.getZoom();
    const inUse = this.levels.at(-1)?.zoom ?? zoom;
    const level = this.cover(Math.abs(zoom - inUse) <= 1 ? inUse : Math.round(zoom));
    this.queue([...level.tiles.values()].filter(({ zoomScale }) => zoomScale === 0));
  }

  private rest(): void {
    const level = this.cover(Math.round(this._map.getZoom()));
    for (const tile of this.waiting) if (tile.level !== level) this.waiting.delete(tile);
    const stale = (tile: Tile) => Math.abs(tile.zoomScale - this.zoomScale(level)) > 1e-3;
    this.queue([...level.tiles.values()].filter(stale));
  }

  /** Makes the level of a zoom the current one. */
  private cover(zoom: number): Level {
    const map = this._map;
    const origin = map.project(map.unproject(map.getPixelOrigin()), zoom).round();
    const level = this.levels.find((known) => known.zoom === zoom) ?? new Level({ zoom, origin });
    if (level !== this.levels.at(-1)) {
      this.element.append(level.element);
      this.levels = [...this.levels.filter((other) => other !== level), level];
      this.keepLevels(LEVELS);
    }
    level.cover({ view: this.viewAt(zoom), origin });
    this.place();
    return level;
  }

  private keepLevels(count: number): void {
    const removed = this.levels.splice(0, Math.max(0, this.levels.length - count));
    for (const { element } of removed) element.remove();
  }

  private viewAt(zoom: number): Box {
    const scale = 2 ** (zoom - this._map.getZoom());
    const bounds = this._map.getPixelBounds();
    const { x: left, y: top } = bounds.getTopLeft().multiplyBy(scale);
    const { x: right, y: bottom } = bounds.getBottomRight().multiplyBy(scale);
    return { left, top, right, bottom };
  }

  private paintAll(): void {
    this.queue(this.levels.at(-1)?.tiles.values() ?? []);
  }

  private queue(tiles: Iterable<Tile>): void {
    for (const tile of tiles) this.waiting.add(tile);
    if (this.waiting.size === 0) this.keepLevels(1);
    else if (this.frame === 0 && this.hasLand()) this.frame = requestAnimationFrame(() => this.paintSome());
  }

  /** The page has the colour of the sea already, so tiles without land would only delay the rest. */
  private hasLand(): boolean {
    return worldSource.at(this.levels.at(-1)?.zoom ?? 0) !== null;
  }

  private paintSome(): void {
    const started = performance.now();
    for (const tile of this.waiting) {
      if (performance.now() - started > SLICE) break;
      this.waiting.delete(tile);
      if (tile.canvas.isConnected) this.paint(tile);
    }
    this.frame = 0;
    this.queue([]);
  }

  private paint(tile: Tile): void {
    const { canvas, x, y, level } = tile;
    tile.zoomScale = this.zoomScale(level);
    const shown = (TILE + OVERLAP) * tile.zoomScale;
    canvas.width = canvas.height = Math.round(shown * pixelRatio(canvas));
    const context = canvas.getContext('2d', { alpha: false });
    const world = worldSource.at(level.zoom);
    if (context === null || world === null) return;
    const sharp = canvas.width / shown;
    context.scale(sharp, sharp);
    const scale = worldSize(level.zoom) * tile.zoomScale;
    const corner = { left: x * TILE * tile.zoomScale, top: y * TILE * tile.zoomScale };
    drawBasemap({
      context,
      world,
      colours: this.colours,
      frame: { scale, ...corner, width: shown, height: shown },
    });
  }

  /** The tiles of a level that is being replaced are not painted again. */
  private zoomScale({ zoom: own }: Level): number {
    const zoom = this._map.getZoom();
    return Math.round(zoom) === own ? 2 ** (zoom - own) : 1;
  }
}

interface BasemapLayerProps extends LayerOptions {
  colours: MapColours;
}

export const BasemapLayer = createLayerComponent<Basemap, BasemapLayerProps>(
  ({ colours }, context) => createElementObject(new Basemap({ colours }), context),
  (layer, { colours }, { colours: before }) => {
    if (colours !== before) layer.setPalette(colours);
  },
);
