import type { MapFeature, MapView } from '@swarmdeck/bff/contract';
import { DomUtil, type LayerOptions, type Map as LeafletMap, type Point } from 'leaflet';
import { coveredBoxes, publishObstacles } from '../canvas/obstacles.ts';
import { layerComponent, paddedView, PaddedLayer, pixelRatio } from '../canvas/padded-layer.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { freeBox, type Insets } from '../geometry/view.ts';
import type { SymbolExtras } from './symbol-extras.draw.ts';
import { createMoving } from './symbol-animation.ts';
import { drawScene, needsExtras } from './scene.draw.ts';
import { hit, rangeOf, type Placed, type Scene, type ValueRange } from './scene.ts';
import { createStamps, type Stamps } from './symbol-sprites.ts';
import type { RefObject } from 'react';
import { useMapSymbols, type MapQuestion } from '../map.api.ts';

interface SymbolLayerProps extends LayerOptions, Omit<Scene, 'features'> {
  colours: MapColours;
  insets: Insets;
}

/** Draws all symbols on one canvas. Moved symbols are animated. */
export class SymbolLayer extends PaddedLayer<SymbolLayerProps> {
  private stamps: { made: Stamps; colours: MapColours; ratio: number } | null = null;
  private placed: Placed[] = [];
  /** The width of the world in px at the last drawing. */
  private scale = 1;
  private readonly moving = createMoving();
  private features: readonly MapFeature[] = [];
  private extras: SymbolExtras | null = null;

  constructor(state: SymbolLayerProps) {
    super({ className: 'map-symbols', state });
  }

  protected override lay(canvas: HTMLCanvasElement, map: LeafletMap): void {
    map.getPane('overlayPane')?.append(canvas);
  }

  /** Shows the symbols of a response. */
  show(features: readonly MapFeature[]): void {
    if (features === this.features) return;
    this.features = features;
    const now = performance.now();
    this.moving.to(features, { now, scale: this.scale });
    // Without an animation it is drawn now, because the next frame has enough to do.
    if (this.isIdle && this.moving.isOver(now)) this.redraw();
    else this.schedule();
  }

  /** Whether the device has a symbol of its own in the view or beside it. */
  isSingle(id: string): boolean {
    return this.placed.some(({ feature }) => feature.id === id);
  }

  /** The symbol at a point of the map's container. */
  at({ x, y }: Point, slack: number): Placed | null {
    const corner = this._map.containerPointToLayerPoint([0, 0]).subtract(DomUtil.getPosition(this.canvas));
    return hit({ placed: this.placed, x: x + corner.x, y: y + corner.y, slack });
  }

  protected override redraw(): void {
    // A canvas is large, so none is created before the first response.
    if (this.features.length + this.placed.length === 0 && !this.state.selected) return;
    const now = performance.now();
    const map = this._map;
    const padded = paddedView(map);
    const { frame, inFrame } = padded;
    this.scale = frame.scale;
    const context = this.freshContext(padded);
    if (context === null) return;
    const { colours, insets } = this.state;
    const scene = { ...this.state, features: this.moving.at(now) };
    const { placed, ...obstacles } = drawScene({
      context,
      scene,
      colours,
      stamps: this.stampsFor(colours),
      frame,
      view: inFrame(freeBox({ size: map.getSize(), insets })),
      covered: () => coveredBoxes(map.getContainer()).map(inFrame),
      extras: this.extras,
      gliding: !this.moving.isOver(now),
    });
    this.placed = placed;
    publishObstacles(map, { ...obstacles, frame });
    if (!this.extras && needsExtras(scene)) this.loadExtras().catch(() => undefined);
    if (!this.moving.isOver(now)) this.schedule();
  }

  private async loadExtras(): Promise<void> {
    const { extras } = await import('./symbol-extras.draw.ts');
    this.extras = extras;
    this.schedule();
  }

  private stampsFor(colours: MapColours): Stamps {
    const ratio = pixelRatio(this.canvas);
    if (this.stamps?.colours !== colours || this.stamps.ratio !== ratio) {
      this.stamps = { made: createStamps({ colours, ratio }), colours, ratio };
    }
    return this.stamps.made;
  }
}

/** In the overlay pane, above the basemap. */
const Symbols = layerComponent(SymbolLayer);

interface LiveSymbolsProps extends SymbolLayerProps {
  question: MapQuestion;
  /** Shown instead of the responses. */
  stored: MapView | null;
  symbols: RefObject<SymbolLayer | null>;
  /** Called with the numbers of each response, if it has some. */
  onValueRange(range: ValueRange | null): void;
}

/** Draws the symbols of each response without a React render. */
export function LiveSymbols({ question, stored, symbols, onValueRange, ...scene }: LiveSymbolsProps) {
  const { valueKey } = scene;
  useMapSymbols({
    ...question,
    stored,
    show({ features }) {
      symbols.current?.show(features);
      if (valueKey) onValueRange(rangeOf(features, valueKey));
    },
  });
  return <Symbols ref={symbols} {...scene} />;
}
