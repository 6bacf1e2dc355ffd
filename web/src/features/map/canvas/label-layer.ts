import type { LeafletEventHandlerFn } from 'leaflet';
import type { Disc, Rect } from '../geometry/boxes.ts';
import type { Frame } from '../geometry/trace.ts';
import { coveredBoxes, obstaclesOn, type Obstacles } from './obstacles.ts';
import { PaddedLayer, type PaddedView } from './padded-layer.ts';

/** Moving symbols may cover a label for this long, in ms. */
const PATIENCE = 250;

/** A layer of labels, between the basemap and the symbols. It is drawn again after the symbols have moved. */
export abstract class LabelLayer<State extends object> extends PaddedLayer<State> {
  private timer = 0;

  override onRemove(): this {
    clearTimeout(this.timer);
    this.timer = 0;
    return super.onRemove();
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return { ...super.getEvents(), obstacles: () => this.scheduleSoon() };
  }

  protected scheduleSoon(): void {
    this.timer ||= window.setTimeout(() => {
      this.timer = 0;
      this.schedule();
    }, PATIENCE);
  }

  /** The symbols and their labels, and what covers the map, in px of the view. */
  protected obstacles({ frame, inFrame }: PaddedView): { covered: Rect[]; discs: Disc[]; boxes: Rect[] } {
    const obstacles = obstaclesOn(this._map);
    return {
      covered: coveredBoxes(this._map.getContainer()).map(inFrame),
      ...(obstacles ? obstaclesIn({ obstacles, frame }) : { discs: [], boxes: [] }),
    };
  }
}

/** Converts obstacles to another frame, also of another zoom: symbols do not scale with the map. */
function obstaclesIn({ obstacles, frame }: { obstacles: Obstacles; frame: Frame }): {
  discs: Disc[];
  boxes: Rect[];
} {
  const { frame: own } = obstacles;
  const grown = frame.scale / own.scale;
  const x = (value: number) => (value + own.left) * grown - frame.left;
  const y = (value: number) => (value + own.top) * grown - frame.top;
  return {
    discs: obstacles.discs.map((disc) => ({ x: x(disc.x), y: y(disc.y), radius: disc.radius })),
    boxes: obstacles.boxes.map(({ left, top, right, bottom }) => {
      const at = { left: x(left), top: y(top) };
      return { ...at, right: at.left + right - left, bottom: at.top + bottom - top };
    }),
  };
}
