import type { MapFeature } from '@swarmdeck/bff/contract';
import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import { DomUtil, Layer } from 'leaflet';
import type { LayerOptions, LeafletEventHandlerFn, Map as LeafletMap, Point, ZoomAnimEvent } from 'leaflet';
import type { Box } from './boxes.ts';
import { freshContext } from './fresh-context.ts';
import { freeBox } from './insets.ts';
import type { Insets } from './insets.ts';
import { worldSize } from './mercator.ts';
import type { Marks } from './marks.draw.ts';
import { createMoving } from './moving.ts';
import { tellObstacles } from './obstacles.ts';
import { PADDING } from './padding.ts';
import type { Palette } from './palette.ts';
import { pixelOriginAt } from './pixel-origin.ts';
import { pixelRatio } from './pixel-ratio.ts';
import { drawScene, wantsMarks } from './scene.draw.ts';
import { hit } from './scene.ts';
import type { Placed, Scene } from './scene.ts';
import { createStamps } from './symbols.draw.ts';
import type { Stamps } from './symbols.draw.ts';
import type { Frame } from './trace.ts';

/** A drag that leaves less than this of the view as padding gets a new picture before it ends. */
const LEAST_PADDING = 0.05;

export interface SymbolLayerProps extends LayerOptions, Omit<Scene, 'features'> {
  palette: Palette;
  insets: Insets;
}

/**
 * All symbols on one canvas. It moves with the map's pane while dragging, by a CSS transform while zooming,
 * and is drawn again when the map rests or its content changes, at most once a frame.
 */
export class SymbolLayer extends Layer {
  private readonly canvas = document.createElement('canvas');
  private state: SymbolLayerProps;
  private stamps: { made: Stamps; palette: Palette; ratio: number } | null = null;
  private placed: Placed[] = [];
  private frame: Frame = { scale: 1, left: 0, top: 0, width: 0, height: 0 };
  private readonly moving = createMoving();
  private features: readonly MapFeature[] = [];
  private marks: Marks | null = null;
  private scheduled = 0;
  /** On its way to another zoom it is grown or shrunk, and drawn again when it is there. */
  private zooming = false;

  constructor(state: SymbolLayerProps) {
    super();
    this.state = state;
    this.canvas.className = 'map-symbols leaflet-zoom-animated';
    this.canvas.ariaHidden = 'true';
  }

  override onAdd(map: LeafletMap): this {
    map.getPane('overlayPane')?.append(this.canvas);
    this.redraw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    this.canvas.remove();
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      viewreset: () => this.schedule(),
      moveend: () => this.schedule(),
      zoomend: () => (this.zooming = false),
      move: () => this.follow(),
      zoom: () => this.transform(this._map.getPixelOrigin(), this._map.getZoom()),
      zoomanim: (event) => {
        const { center, zoom } = event as ZoomAnimEvent;
        this.zooming = true;
        this.transform(pixelOriginAt({ map: this._map, center, zoom }), zoom);
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
    this.moving.to(features, { now, scale: this.frame.scale });
    // what stands where it belongs is drawn before the next frame begins, which has enough to do
    if (this._map && this.scheduled === 0 && !this.zooming && this.moving.isOver(now)) this.redraw();
    else this.schedule();
  }

  /** The symbol at a point of the map's container. */
  at({ x, y }: Point, slack: number): Placed | null {
    const corner = this._map.containerPointToLayerPoint([0, 0]).subtract(DomUtil.getPosition(this.canvas));
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
    const now = performance.now();
    const map = this._map;
    const size = map.getSize();
    const padding = size.multiplyBy(PADDING).round();
    const corner = map.containerPointToLayerPoint([-padding.x, -padding.y]).round();
    const origin = map.getPixelOrigin().add(corner);
    const scale = worldSize(map.getZoom());
    this.frame = {
      scale,
      left: origin.x,
      top: origin.y,
      width: size.x + 2 * padding.x,
      height: size.y + 2 * padding.y,
    };
    DomUtil.setPosition(this.canvas, corner);

    const context = freshContext({ canvas: this.canvas, size: this.frame });
    if (context === null) return;
    const { palette, insets } = this.state;
    const scene = { ...this.state, features: this.moving.at(now) };
    const inFrame = ({ left, top, right, bottom }: Box): Box => ({
      left: left + padding.x,
      top: top + padding.y,
      right: right + padding.x,
      bottom: bottom + padding.y,
    });
    const { placed, ...obstacles } = drawScene({
      context,
      scene,
      palette,
      stamps: this.stampsFor(palette),
      frame: this.frame,
      view: inFrame(freeBox({ size, insets })),
      marks: this.marks,
      rightToLeft: document.documentElement.dir === 'rtl',
    });
    this.placed = placed;
    tellObstacles(map, { ...obstacles, frame: this.frame });
    if (!this.marks && wantsMarks(scene)) this.loadMarks().catch(() => undefined);
    if (!this.moving.isOver(now)) this.schedule();
  }

  private async loadMarks(): Promise<void> {
    const { marks } = await import('./marks.draw.ts');
    this.marks = marks;
    this.schedule();
  }

  private stampsFor(palette: Palette): Stamps {
    const ratio = pixelRatio(this.canvas);
    if (this.stamps?.palette !== palette || this.stamps.ratio !== ratio) {
      this.stamps = { made: createStamps({ palette, ratio }), palette, ratio };
    }
    return this.stamps.made;
  }

  /** Draws again in the middle of a drag when the view is about to leave the canvas. */
  private follow(): void {
    const size = this._map.getSize();
    const corner = DomUtil.getPosition(this.canvas).subtract(this._map.containerPointToLayerPoint([0, 0]));
    const left = { x: -corner.x, y: -corner.y };
    const right = { x: corner.x + this.frame.width - size.x, y: corner.y + this.frame.height - size.y };
    const short =
      Math.min(left.x, right.x) < size.x * LEAST_PADDING || Math.min(left.y, right.y) < size.y * LEAST_PADDING;
    if (short && this.frame.scale === worldSize(this._map.getZoom())) this.schedule();
  }

  private transform(pixelOrigin: Point, zoom: number): void {
    const { scale, left, top } = this.frame;
    const grown = worldSize(zoom) / scale;
    const corner = pixelOrigin.clone();
    corner.x = left * grown - pixelOrigin.x;
    corner.y = top * grown - pixelOrigin.y;
    DomUtil.setTransform(this.canvas, corner, grown);
  }
}

/** Drawn over the basemap in the map's overlay pane. */
export const Symbols = createLayerComponent<SymbolLayer, SymbolLayerProps>(
  (props, context) => createElementObject(new SymbolLayer(props), context),
  (layer, props) => layer.setState(props),
);
