import type { MapFeature } from '@swarmdeck/bff/contract';
import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import { DomUtil, Layer } from 'leaflet';
import type { LayerOptions, LeafletEventHandlerFn, Map as LeafletMap, Point, ZoomAnimEvent } from 'leaflet';
import { tellObstacles } from '../canvas/obstacles.ts';
import { PaddedCanvas, paddedView } from '../canvas/padded-canvas.ts';
import type { Palette } from '../canvas/palette.ts';
import { pixelRatio } from '../canvas/pixel-ratio.ts';
import { freeBox } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { pixelOriginAt } from '../geometry/pixel-origin.ts';
import type { Marks } from './marks.draw.ts';
import { createMoving } from './moving.ts';
import { drawScene, wantsMarks } from './scene.draw.ts';
import { hit } from './scene.ts';
import type { Placed, Scene } from './scene.ts';
import { createStamps } from './symbols.draw.ts';
import type { Stamps } from './symbols.draw.ts';

export interface SymbolLayerProps extends LayerOptions, Omit<Scene, 'features'> {
  palette: Palette;
  insets: Insets;
}

/**
 * All symbols on one canvas. It moves with the map's pane while dragging, by a CSS transform while zooming,
 * and is drawn again when the map rests or its content changes, at most once a frame.
 */
export class SymbolLayer extends Layer {
  private readonly canvas = new PaddedCanvas('map-symbols');
  private state: SymbolLayerProps;
  private stamps: { made: Stamps; palette: Palette; ratio: number } | null = null;
  private placed: Placed[] = [];
  /** Pixels of the world, as it was drawn last. */
  private scale = 1;
  private readonly moving = createMoving();
  private features: readonly MapFeature[] = [];
  private marks: Marks | null = null;
  private scheduled = 0;
  /** On its way to another zoom it is grown or shrunk, and drawn again when it is there. */
  private zooming = false;

  constructor(state: SymbolLayerProps) {
    super();
    this.state = state;
  }

  override onAdd(map: LeafletMap): this {
    map.getPane('overlayPane')?.append(this.canvas.element);
    this.schedule();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    this.canvas.element.remove();
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      viewreset: () => this.schedule(),
      moveend: () => this.schedule(),
      zoomend: () => (this.zooming = false),
      move: () => this.canvas.isShort(this._map) && this.schedule(),
      zoom: () => this.canvas.transform(this._map.getPixelOrigin(), this._map.getZoom()),
      zoomanim: (event) => {
        const { center, zoom } = event as ZoomAnimEvent;
        this.zooming = true;
        this.canvas.transform(pixelOriginAt({ map: this._map, center, zoom }), zoom);
      },
    };
  }

  setState(state: SymbolLayerProps): void {
    this.state = state;
    this.schedule();
  }

  /** The symbols of another answer. */
  show(features: readonly MapFeature[]): void {
    if (features === this.features) return;
    this.features = features;
    const now = performance.now();
    this.moving.to(features, { now, scale: this.scale });
    // what stands where it belongs is drawn before the next frame begins, which has enough to do
    if (this._map && this.scheduled === 0 && !this.zooming && this.moving.isOver(now)) this.redraw();
    else this.schedule();
  }

  /** The symbol at a point of the map's container. */
  at({ x, y }: Point, slack: number): Placed | null {
    const corner = this._map.containerPointToLayerPoint([0, 0]).subtract(DomUtil.getPosition(this.canvas.element));
    return hit({ placed: this.placed, x: x + corner.x, y: y + corner.y, slack });
  }

  private schedule(): void {
    if (this.scheduled !== 0 || !this._map) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      if (!this.zooming) this.redraw();
    });
  }

  private redraw(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    // a canvas is large, and before the first answer there is nothing to put on it
    if (this.features.length + this.placed.length === 0 && !this.state.selected) return;
    const now = performance.now();
    const map = this._map;
    const padded = paddedView(map);
    const { frame, inFrame } = padded;
    this.scale = frame.scale;
    const context = this.canvas.fresh(padded);
    if (context === null) return;
    const { palette, insets } = this.state;
    const scene = { ...this.state, features: this.moving.at(now) };
    const { placed, ...obstacles } = drawScene({
      context,
      scene,
      palette,
      stamps: this.stampsFor(palette),
      frame,
      view: inFrame(freeBox({ size: map.getSize(), insets })),
      marks: this.marks,
      gliding: !this.moving.isOver(now),
      rightToLeft: document.documentElement.dir === 'rtl',
    });
    this.placed = placed;
    tellObstacles(map, { ...obstacles, frame });
    if (!this.marks && wantsMarks(scene)) this.loadMarks().catch(() => undefined);
    if (!this.moving.isOver(now)) this.schedule();
  }

  private async loadMarks(): Promise<void> {
    const { marks } = await import('./marks.draw.ts');
    this.marks = marks;
    this.schedule();
  }

  private stampsFor(palette: Palette): Stamps {
    const ratio = pixelRatio(this.canvas.element);
    if (this.stamps?.palette !== palette || this.stamps.ratio !== ratio) {
      this.stamps = { made: createStamps({ palette, ratio }), palette, ratio };
    }
    return this.stamps.made;
  }
}

/** Drawn over the basemap in the map's overlay pane. */
export const Symbols = createLayerComponent<SymbolLayer, SymbolLayerProps>(
  (props, context) => createElementObject(new SymbolLayer(props), context),
  (layer, props) => layer.setState(props),
);
