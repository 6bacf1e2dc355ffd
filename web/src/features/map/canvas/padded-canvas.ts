import { DomUtil } from 'leaflet';
import type { Map as LeafletMap, Point } from 'leaflet';
import type { Box } from '../geometry/boxes.ts';
import { worldSize } from '../geometry/mercator.ts';
import { PADDING } from '../geometry/padding.ts';
import type { Frame } from '../geometry/trace.ts';
import { freshContext } from './fresh-context.ts';

/** A drag that leaves less than this of the view as padding gets a new picture before it ends. */
const LEAST_PADDING = 0.05;

/** What a map shows now and a padding around it, to the pixel. */
export interface PaddedView {
  frame: Frame;
  /** Where it begins in the map's pane. */
  corner: Point;
  /** From the map's container. */
  inFrame(box: Box): Box;
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

/** A canvas that reaches beyond the view: it moves with the map's pane until it is drawn again. */
export class PaddedCanvas {
  readonly element = document.createElement('canvas');
  private frame: Frame = { scale: 1, left: 0, top: 0, width: 0, height: 0 };

  constructor(className: string) {
    this.element.className = `${className} leaflet-zoom-animated`;
    this.element.ariaHidden = 'true';
  }

  /** Emptied, around what the map shows now. */
  fresh({ frame, corner }: PaddedView): CanvasRenderingContext2D | null {
    this.frame = frame;
    DomUtil.setPosition(this.element, corner);
    return freshContext({ canvas: this.element, size: frame });
  }

  /** Grown or shrunk to where it belongs on the way to another zoom. */
  transform(pixelOrigin: Point, zoom: number): void {
    const { scale, left, top } = this.frame;
    const grown = worldSize(zoom) / scale;
    const corner = pixelOrigin.clone();
    corner.x = left * grown - pixelOrigin.x;
    corner.y = top * grown - pixelOrigin.y;
    DomUtil.setTransform(this.element, corner, grown);
  }

  /** Whether the view is about to leave it. */
  isShort(map: LeafletMap): boolean {
    const { scale, left, top, width, height } = this.frame;
    if (scale !== worldSize(map.getZoom())) return false;
    const size = map.getSize();
    const at = map.getPixelBounds().getTopLeft();
    const x = Math.min(at.x - left, left + width - at.x - size.x);
    const y = Math.min(at.y - top, top + height - at.y - size.y);
    return x < size.x * LEAST_PADDING || y < size.y * LEAST_PADDING;
  }
}
