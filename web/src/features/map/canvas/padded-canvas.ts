import { DomUtil } from 'leaflet';
import type { Map as LeafletMap, Point } from 'leaflet';
import type { Box } from '../geometry/boxes.ts';
import { worldSize } from '../geometry/mercator.ts';
import { PADDING } from '../geometry/frame.ts';
import type { Frame } from '../geometry/trace.ts';
import { freshContext } from './fresh-context.ts';

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

/** A canvas that is larger than the view. It moves with the map's pane until it is drawn again. */
export class PaddedCanvas {
  readonly element = document.createElement('canvas');
  private frame: Frame = { scale: 1, left: 0, top: 0, width: 0, height: 0 };

  constructor(className: string) {
    this.element.className = `${className} leaflet-zoom-animated`;
    this.element.ariaHidden = 'true';
  }

  /** Clears the canvas and positions it around the current view. */
  fresh({ frame, corner }: PaddedView): CanvasRenderingContext2D | null {
    this.frame = frame;
    DomUtil.setPosition(this.element, corner);
    return freshContext({ canvas: this.element, size: frame });
  }

  /** Scales the canvas during a zoom animation. */
  transform(pixelOrigin: Point, zoom: number): void {
    const { scale, left, top } = this.frame;
    const grown = worldSize(zoom) / scale;
    const corner = pixelOrigin.clone();
    corner.x = left * grown - pixelOrigin.x;
    corner.y = top * grown - pixelOrigin.y;
    DomUtil.setTransform(this.element, corner, grown);
  }

  /** Whether the view will soon leave the canvas. */
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
