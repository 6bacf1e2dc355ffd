import { DomUtil } from 'leaflet';
import type { Point } from 'leaflet';
import type { Box } from '../geometry/boxes.ts';
import { TILE } from '../geometry/mercator.ts';
import { isNear, tilesIn } from '../geometry/tiles.ts';
import type { TileAt } from '../geometry/tiles.ts';

export interface Tile extends TileAt {
  level: Level;
  canvas: HTMLCanvasElement;
  /** How large the tile was shown when it was painted: 1 at whole zooms, 0 before. */
  zoomScale: number;
}

/** The tiles of one whole zoom. They move and grow together, as one element. */
export class Level {
  readonly zoom: number;
  readonly element = DomUtil.create('div', 'map-tiles leaflet-zoom-animated');
  readonly tiles = new Map<string, Tile>();
  /** Where the element's corner is, in pixels of its own zoom: never far from its tiles, or digits would be lost. */
  private origin: Point;

  constructor({ zoom, origin }: { zoom: number; origin: Point }) {
    this.zoom = zoom;
    this.origin = origin;
  }

  /** Has tiles wherever the view is, and lets go of those that are far from it. */
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

  /** Shows it where it belongs while the map is somewhere, or on its way there. */
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
