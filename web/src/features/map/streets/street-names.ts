import type { LayerOptions, Map as LeafletMap } from 'leaflet';
import { LabelLayer } from '../canvas/label-layer.ts';
import { layerComponent, paddedView, pixelRatio } from '../canvas/padded-layer.ts';
import type { StreetTiles } from './street-tiles.ts';

interface StreetNamesProps extends LayerOptions {
  tiles: StreetTiles;
}

/** The names in vector tiles. Only those are drawn that no symbol covers, and they are not part of a tile's picture. */
class StreetNamesLayer extends LabelLayer<StreetNamesProps> {
  /** What is drawn, as text, so that the same names are not drawn twice. */
  private drawn = '';
  private isDrawing = false;
  private isDue = false;
  private unsubscribe = () => {};

  constructor(state: StreetNamesProps) {
    super({ className: 'map-street-names', state });
  }

  override onAdd(map: LeafletMap): this {
    this.unsubscribe = this.state.tiles.subscribe(() => this.scheduleSoon());
    return super.onAdd(map);
  }

  override onRemove(): this {
    this.unsubscribe();
    return super.onRemove();
  }

  override setState(state: StreetNamesProps): void {
    if (state.tiles === this.state.tiles) return;
    this.unsubscribe();
    this.unsubscribe = state.tiles.subscribe(() => this.scheduleSoon());
    this.drawn = '';
    super.setState(state);
  }

  /** Requests one picture at a time. */
  protected override redraw(): void {
    this.isDue = true;
    if (this.isDrawing) return;
    this.isDrawing = true;
    void this.draw()
      // The next change draws them.
      .catch(() => undefined)
      .finally(() => {
        this.isDrawing = false;
        if (this.isDue) this.schedule();
      });
  }

  private async draw(): Promise<void> {
    this.isDue = false;
    const view = paddedView(this._map);
    const { covered, discs, boxes } = this.obstacles(view);
    const { tiles } = this.state;
    const { picture, drawn } = await tiles.names({
      frame: view.frame,
      zoom: Math.round(this._map.getZoom()),
      discs,
      boxes: [...covered, ...boxes],
      ratio: pixelRatio(this.canvas),
      drawn: this.drawn,
    });
    if (!picture) return;
    if (this._map && !this.zooming && tiles === this.state.tiles) {
      this.drawn = drawn;
      this.freshContext(view)?.drawImage(picture, 0, 0, view.frame.width, view.frame.height);
      // The map may have moved meanwhile.
      this.transform();
    }
    picture.close();
  }
}

export const StreetNames = layerComponent(StreetNamesLayer);
