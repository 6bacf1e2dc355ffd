import { DomUtil } from 'leaflet';
import type { Point } from 'leaflet';
import type { Box } from '../geometry/boxes.ts';
import { TILE } from '../geometry/mercator.ts';
import { isNear, tilesIn } from '../geometry/tiles.ts';
import type { TileAt } from '../geometry/tiles.ts';

export interface Tile extends TileAt {
  level: Level;
  canvas: HTMLCanvasElement;
  /** The scale of the tile when it was painted: 1 at whole zooms, 0 before the first time. */
  zoomScale: number;
}

/** The tiles of one whole zoom, which move and scale together as one element. */
export class Level {
  readonly zoom: number;
  readonly element = DomUtil.create('div', 'map-tiles leaflet-zoom-animated');
  readonly tiles = new Map<string, Tile>();
  /**
   * The corner of the element, in pixels of its own zoom. It stays near its tiles, because large offsets lose
   * precision.
   */
  private origin: Point;

  constructor({ zoom, origin }: { zoom: number; origin: Point }) {
    this.zoom = zoom;
    this.origin = origin;
  }

  /** Adds the tiles that the view needs, and removes those far from it. */
  cover({ view, origin }: { view: Box; origin: Point }): void {
    for (const [key, tile] of this.tiles) {
      if (isNear(tile, view)) continue;
      tile.canvas.remove();
      this.tiles.delete(key);
    }
    if (this.tiles.size === 0) this.origin = origin;
    for (const at of tilesIn(view)) {
      const key = `${at.x} ${at.y}`;
      if (!this.tiles.has(key)) this.tiles.set(key, this.createTile(at));
    }
  }

  /** Positions the element for a map position and zoom. */
  place({ pixelOrigin, zoom }: { pixelOrigin: Point; zoom: number }): void {
    const scale = 2 ** (zoom - this.zoom);
    DomUtil.setTransform(this.element, this.origin.multiplyBy(scale).subtract(pixelOrigin), scale);
  }

  private createTile({ x, y }: TileAt): Tile {
    const canvas = document.createElement('canvas');
    canvas.className = 'map-tile';
    canvas.style.left = `${x * TILE - this.origin.x}px`;
    canvas.style.top = `${y * TILE - this.origin.y}px`;
    this.element.append(canvas);
    return { x, y, level: this, canvas, zoomScale: 0 };
  }
}
