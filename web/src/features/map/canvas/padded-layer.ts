import { Layer } from 'leaflet';
import type { LeafletEventHandlerFn, Map as LeafletMap, ZoomAnimEvent } from 'leaflet';
import { pixelOriginAt } from '../geometry/frame.ts';
import { PaddedCanvas } from './padded-canvas.ts';

/**
 * A layer with one canvas. It moves with the map's pane during a drag and is scaled by CSS during a zoom animation. It
 * is drawn again when the map settles or its state changes, at most once per frame.
 */
export abstract class PaddedLayer<State> extends Layer {
  protected readonly canvas: PaddedCanvas;
  protected state: State;
  private scheduled = 0;
  /** During a zoom animation the canvas is only scaled. */
  private zooming = false;

  constructor({ className, state }: { className: string; state: State }) {
    super();
    this.canvas = new PaddedCanvas(className);
    this.state = state;
  }

  /** Inserts the canvas among the other layers. */
  protected abstract lay(canvas: HTMLCanvasElement, map: LeafletMap): void;

  protected abstract redraw(): void;

  override onAdd(map: LeafletMap): this {
    this.lay(this.canvas.element, map);
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

  setState(state: State): void {
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
}
