import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import {
  DomUtil,
  Layer,
  type LayerOptions,
  type Map as LeafletMap,
  type Point,
  type LeafletEventHandlerFn,
  type ZoomAnimEvent,
} from 'leaflet';
import type { Rect } from '../geometry/boxes.ts';
import { worldSize } from '../geometry/mercator.ts';
import { PADDING, pixelOriginAt } from '../geometry/frame.ts';
import type { Frame } from '../geometry/trace.ts';

/**
 * When a drag leaves less than this fraction of the view as padding, the canvas is drawn again before the drag ends.
 */
const LEAST_PADDING = 0.05;

/** The view of a map with padding around it. */
export interface PaddedView {
  frame: Frame;
  /** Its corner in the map's pane. */
  corner: Point;
  /** Converts a box from the map's container. */
  inFrame(box: Rect): Rect;
}

export function paddedView(map: LeafletMap): PaddedView {
  const size = map.getSize();
  const padding = size.multiplyBy(PADDING).round();
  const corner = map.containerPointToLayerPoint([-padding.x, -padding.y]).round();
  const origin = map.getPixelOrigin().add(corner);
  const [width, height] = [size.x + 2 * padding.x, size.y + 2 * padding.y];
  return {
    frame: { scale: worldSize(map.getZoom()), left: origin.x, top: origin.y, width, height },
    corner,
    inFrame: ({ left, top, right, bottom }) => ({
      left: left + padding.x,
      top: top + padding.y,
      right: right + padding.x,
      bottom: bottom + padding.y,
    }),
  };
}

/** The number of screen pixels per CSS pixel of an element, including CSS zoom. */
export function pixelRatio(element: Element): number {
  return devicePixelRatio * (element.currentCSSZoom ?? 1);
}

/** The React component of a layer, whose props are its state. */
export const layerComponent = <State extends LayerOptions, Shown extends Layer & { setState(state: State): void }>(
  LayerOfState: new (state: State) => Shown,
) =>
  createLayerComponent<Shown, State>(
    (state, context) => createElementObject(new LayerOfState(state as State), context),
    (layer, state) => layer.setState(state as State),
  );

/**
 * A layer with one canvas, which is larger than the view. It moves with the map's pane during a drag and is scaled by
 * CSS during a zoom animation. It is drawn again when the map settles or its state changes, at most once per frame.
 */
export abstract class PaddedLayer<State extends object> extends Layer {
  protected readonly canvas = document.createElement('canvas');
  protected state: State;
  /** What the canvas shows. Its scale is in pixels of the canvas. */
  protected frame: Frame = { scale: 1, left: 0, top: 0, width: 0, height: 0 };
  private scheduled = 0;
  /** During a zoom animation the canvas is only scaled. */
  protected zooming = false;

  constructor({ className, state }: { className: string; state: State }) {
    super();
    this.canvas.className = `${className} leaflet-zoom-animated`;
    this.canvas.ariaHidden = 'true';
    this.state = state;
  }

  /** Inserts the canvas among the other layers: below the symbols. */
  protected lay(canvas: HTMLCanvasElement, map: LeafletMap): void {
    map.getPane('overlayPane')?.prepend(canvas);
  }

  protected abstract redraw(): void;

  override onAdd(map: LeafletMap): this {
    this.lay(this.canvas, map);
    this.schedule();
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
      // The map's pane has another place: a layer may find that it need not draw again.
      viewreset: () => {
        this.transform();
        this.schedule();
      },
      moveend: () => this.schedule(),
      zoomend: () => (this.zooming = false),
      move: () => this.isShort() && this.schedule(),
      zoom: () => this.transform(),
      zoomanim: (event) => {
        const { center, zoom } = event as ZoomAnimEvent;
        this.zooming = true;
        this.transform(pixelOriginAt({ map: this._map, center, zoom }), zoom);
      },
    };
  }

  setState(state: State): void {
    const keys = Object.keys(state) as (keyof State)[];
    if (keys.every((key) => state[key] === this.state[key])) return;
    this.state = state;
    this.schedule();
  }

  /** Whether the layer is on a map, not in a zoom animation, and has nothing to draw. */
  protected get isIdle(): boolean {
    return Boolean(this._map) && this.scheduled === 0 && !this.zooming;
  }

  protected schedule(): void {
    if (this.scheduled !== 0 || !this._map) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      if (!this.zooming) this.redraw();
    });
  }

  /** Clears the canvas, positions it around the current view, and returns its context in CSS pixels. */
  protected freshContext({ frame, corner }: PaddedView): CanvasRenderingContext2D | null {
    const { canvas } = this;
    const { width, height } = frame;
    this.frame = frame;
    DomUtil.setPosition(canvas, corner);
    const context = canvas.getContext('2d');
    const ratio = pixelRatio(canvas);
    const wide = Math.round(width * ratio);
    const high = Math.round(height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    context?.clearRect(0, 0, width, height);
    return context;
  }

  /** Scales the canvas, such as during a zoom animation. */
  protected transform(pixelOrigin = this._map.getPixelOrigin(), zoom = this._map.getZoom()): void {
    const { scale, left, top, width } = this.frame;
    // Nothing has been drawn.
    if (width === 0) return;
    const grown = worldSize(zoom) / scale;
    const corner = pixelOrigin.clone();
    corner.x = left * grown - pixelOrigin.x;
    corner.y = top * grown - pixelOrigin.y;
    DomUtil.setTransform(this.canvas, corner, grown);
  }

  /** Whether the view will soon leave the canvas. */
  private isShort(): boolean {
    const { scale, left, top, width, height } = this.frame;
    if (scale !== worldSize(this._map.getZoom())) return false;
    const size = this._map.getSize();
    const at = this._map.getPixelBounds().getTopLeft();
    const x = Math.min(at.x - left, left + width - at.x - size.x);
    const y = Math.min(at.y - top, top + height - at.y - size.y);
    return x < size.x * LEAST_PADDING || y < size.y * LEAST_PADDING;
  }
}
