import type { LayerOptions, Map as LeafletMap } from 'leaflet';
import { worldSource } from '../basemap/world.load.ts';
import type { World } from '../basemap/world.ts';
import { LabelLayer } from '../canvas/label-layer.ts';
import { layerComponent, paddedView, type PaddedView } from '../canvas/padded-layer.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { Rect } from '../geometry/boxes.ts';
import { worldX, worldY } from '../geometry/mercator.ts';
import { freeBox, type Bbox, type Insets } from '../geometry/view.ts';
import { citySource } from './cities.source.ts';
import { drawNames, createRuler } from './names.draw.ts';
import { placeNames, type Side, type PlacedNames, type Ruler } from './names.place.ts';

interface NamesProps extends LayerOptions {
  colours: MapColours;
  insets: Insets;
  /** Where tiles are drawn over the built-in map, and from which zoom. */
  tiled: { bbox: Bbox; from: number } | null;
}

/**
 * The names of countries and cities, between basemap and symbols. They are placed again when a symbol covers one, or
 * when more cities are loaded.
 */
class NamesLayer extends LabelLayer<NamesProps> {
  private ruler: { made: Ruler; colours: MapColours } | null = null;
  /** What was drawn, as text, so that the same names are not drawn twice. */
  private drawn = '';
  private sides: ReadonlyMap<string, Side> = new Map();
  private subscriptions: (() => void)[] = [];

  constructor(state: NamesProps) {
    super({ className: 'map-names', state });
  }

  override onAdd(map: LeafletMap): this {
    this.subscriptions = [worldSource, citySource].map((source) => source.subscribe(() => this.schedule()));
    return super.onAdd(map);
  }

  override onRemove(): this {
    for (const unsubscribe of this.subscriptions) unsubscribe();
    return super.onRemove();
  }

  protected override redraw(): void {
    const view = paddedView(this._map);
    const names = this.place(view);
    this.sides = new Map(names.cities.map(({ key, side }) => [key, side]));
    const drawn = textOf({ view, names, colours: this.state.colours });
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const context = this.freshContext(view);
    if (context) drawNames({ context, names, colours: this.state.colours });
  }

  private place(view: PaddedView): PlacedNames {
    const { frame, inFrame } = view;
    const map = this._map;
    const zoom = map.getZoom();
    const size = map.getSize();
    const { tiled } = this.state;
    return placeNames({
      countries: namesIn(worldSource.within(Math.round(zoom), frame)),
      files: citySource.within(zoom, frame),
      frame,
      taken: {
        screen: inFrame({ left: 0, top: 0, right: size.x, bottom: size.y }),
        view: inFrame(freeBox({ size, insets: this.state.insets })),
        ...this.obstacles(view),
      },
      ruler: this.rulerFor(this.state.colours),
      before: this.sides,
      tiled: tiled && zoom >= tiled.from ? boxIn(frame, tiled.bbox) : undefined,
    });
  }

  private rulerFor(colours: MapColours): Ruler {
    if (this.ruler?.colours !== colours) this.ruler = { made: createRuler(colours), colours };
    return this.ruler.made;
  }
}

/** Ordered by the space for the name. */
const namesIn = (land: readonly World[]) =>
  land.flatMap(({ names }) => names).toSorted((one, other) => other.room - one.room);

function boxIn({ scale, left, top }: PaddedView['frame'], [west, south, east, north]: Bbox): Rect {
  const [x, y] = [(lng: number) => worldX(lng) * scale - left, (lat: number) => worldY(lat) * scale - top];
  return { left: x(west), top: y(north), right: x(east), bottom: y(south) };
}

function textOf({ view, names, colours }: { view: PaddedView; names: PlacedNames; colours: MapColours }): string {
  const { scale, left, top, width, height } = view.frame;
  const look = [scale, left, top, width, height, devicePixelRatio, colours.halo, colours.city];
  const countries = names.countries.map(({ text, x, y }) => `${text} ${x} ${y}`);
  const cities = names.cities.map(({ key, side }) => `${key} ${side}`);
  const crossings = names.crossings.map(({ text }) => text);
  return [look.join(), ...countries, ...cities, ...crossings].join('\n');
}

/** Between the basemap and the symbols. */
export const Names = layerComponent(NamesLayer);
