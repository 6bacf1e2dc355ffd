import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import type { LayerOptions, Map as LeafletMap } from 'leaflet';
import { Labeler, type IndexedLabel } from 'protomaps-leaflet';
import { LabelLayer } from '../canvas/label-layer.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { paddedView, type PaddedView } from '../canvas/padded-layer.ts';
import { Occupied, type Rect } from '../geometry/boxes.ts';
import { worldSize } from '../geometry/mercator.ts';
import { streetLabelRules } from './street-rules.ts';
import type { StreetTiles } from './street-tiles.ts';

/** The most vector tiles whose names are known, more than the largest screen shows. */
const MOST_TILES = 64;

interface StreetNamesProps extends LayerOptions {
  tiles: StreetTiles;
  colours: MapColours;
}

/** A label, and its boxes in px of the view. */
interface Placed {
  label: IndexedLabel;
  x: number;
  y: number;
  boxes: Rect[];
}

/** The names in vector tiles. Only those are drawn that no symbol covers, and they are not part of a tile's picture. */
class StreetNamesLayer extends LabelLayer<StreetNamesProps> {
  private labeler: Labeler | null = null;
  /** What was drawn, as text, so that the same names are not drawn twice. */
  private drawn = '';
  private unsubscribe = () => {};

  constructor(state: StreetNamesProps) {
    super({ className: 'map-street-names', state });
  }

  override onAdd(map: LeafletMap): this {
    this.unsubscribe = this.state.tiles.subscribe(() => this.schedule());
    return super.onAdd(map);
  }

  override onRemove(): this {
    this.unsubscribe();
    return super.onRemove();
  }

  override setState(state: StreetNamesProps): void {
    if (state.tiles === this.state.tiles) return;
    this.unsubscribe();
    this.unsubscribe = state.tiles.subscribe(() => this.schedule());
    this.labeler = null;
    super.setState(state);
  }

  protected override redraw(): void {
    const view = paddedView(this._map);
    const names = this.place(view);
    const { scale, left, top, width, height } = view.frame;
    const drawn = [this.state.colours.halo, devicePixelRatio, scale, left, top, width, height]
      .concat(names.flatMap(({ label, x, y }) => [label.order, x, y]))
      .join();
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const context = this.freshContext(view);
    if (!context) return;
    context.lineJoin = 'round';
    for (const { label, x, y } of names) {
      context.save();
      context.translate(x, y);
      label.draw(context);
      context.restore();
    }
  }

  /** Positions are known for whole zooms. Between them, names move apart or together, but keep their size. */
  private place(view: PaddedView): Placed[] {
    const { frame } = view;
    const zoom = Math.round(this._map.getZoom());
    const tiles = this.state.tiles.at(zoom);
    const labeler = this.labelerAt(zoom);
    if (tiles.length === 0 || !labeler) return [];
    for (const tile of tiles) labeler.add(new Map([['', [tile]]]));
    const grown = frame.scale / worldSize(zoom);
    const box = {
      minX: frame.left / grown,
      minY: frame.top / grown,
      maxX: (frame.left + frame.width) / grown,
      maxY: (frame.top + frame.height) / grown,
    };
    const occupied = new Occupied();
    const { covered, discs, boxes } = this.obstacles(view);
    for (const disc of discs) occupied.addDisc(disc);
    for (const each of [...covered, ...boxes]) occupied.addBox(each);
    return [...labeler.index.searchBbox(box, Number.POSITIVE_INFINITY)]
      .toSorted((a, b) => a.order - b.order || a.anchor.y - b.anchor.y || a.anchor.x - b.anchor.x)
      .map((label) => placed({ label, grown, view }))
      .filter((name) => {
        const isFree = name.boxes.every((each) => occupied.isFree(each));
        if (isFree) for (const each of name.boxes) occupied.addBox(each);
        return isFree;
      });
  }

  private labelerAt(zoom: number): Labeler | null {
    if (this.labeler?.z === zoom) return this.labeler;
    const scratch = document.createElement('canvas').getContext('2d');
    this.labeler = scratch && new Labeler(zoom, scratch, streetLabelRules(this.state.colours), MOST_TILES);
    return this.labeler;
  }
}

function placed({ label, grown, view: { frame } }: { label: IndexedLabel; grown: number; view: PaddedView }): Placed {
  const x = label.anchor.x * grown - frame.left;
  const y = label.anchor.y * grown - frame.top;
  const boxes = label.bboxes.map(({ minX, minY, maxX, maxY }) => ({
    left: x + minX - label.anchor.x,
    top: y + minY - label.anchor.y,
    right: x + maxX - label.anchor.x,
    bottom: y + maxY - label.anchor.y,
  }));
  return { label, x, y, boxes };
}

export const StreetNames = createLayerComponent<StreetNamesLayer, StreetNamesProps>(
  (props, context) => createElementObject(new StreetNamesLayer(props), context),
  (layer, props) => layer.setState(props),
);
