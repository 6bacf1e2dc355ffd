import { Layer } from 'leaflet';
import type { LeafletEventHandlerFn, Map as LeafletMap, ZoomAnimEvent } from 'leaflet';
import { pixelOriginAt } from '../geometry/pixel-origin.ts';
import { PaddedCanvas } from './padded-canvas.ts';

/**
 * A layer of one canvas. It moves with the map's pane while dragging, by a CSS transform while zooming, and is drawn
 * again when the map rests or it has something else to show, at most once a frame.
 */
export abstract class PaddedLayer<State> extends Layer {
  protected readonly canvas: PaddedCanvas;
  protected state: State;
  private scheduled = 0;
  /** On its way to another zoom it is grown or shrunk, and drawn again when it is there. */
  private zooming = false;

  constructor({ className, state }: { className: string; state: State }) {
    super();
    this.canvas = new PaddedCanvas(className);
    this.state = state;
  }

  /** Where among its neighbours its canvas lies. */
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

  /** On a map, not on its way to another zoom, and as drawn as it wants to be. */
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
