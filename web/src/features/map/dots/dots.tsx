import { createElementObject, createLayerComponent } from '@react-leaflet/core';
import type { LayerOptions, LeafletMouseEvent, Map as LeafletMap, Point } from 'leaflet';
import { worldSize } from '../geometry/mercator.ts';
import { padded } from '../geometry/frame.ts';
import type { Bbox } from '../geometry/view.ts';
import { inkOf, paintDots, boxAroundDots, pictureOf, type Picture } from './dots.paint.ts';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { useMemo, useRef } from 'react';
import { useMap } from 'react-leaflet';
import type { MapColours } from '../canvas/map-colours.ts';
import { PaddedLayer } from '../canvas/padded-layer.ts';
import { useLeafletEvents, SLACK, isTouch } from '../frame/map-events.ts';
import type { Frame } from '../geometry/trace.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadBytes } from '../../../api/client.ts';
import { filterParams, queryString } from '../../../api/filter-params.ts';
import { queryKeys } from '../../../api/query-keys.ts';

interface DotsLayerProps extends LayerOptions {
  density: Density | null;
  /** A CSS colour. */
  colour: string;
}

/**
 * Draws every device as a dot, on a canvas with one pixel per cell that the browser scales up. The cost does not depend
 * on the number of devices. The layer is below the symbols. It is painted again only for other dots.
 */
class DotsLayer extends PaddedLayer<DotsLayerProps> {
  private painted: DotsLayerProps | null = null;

  constructor(state: DotsLayerProps) {
    super({ className: 'map-dots', state });
  }

  protected override lay(canvas: HTMLCanvasElement, map: LeafletMap): void {
    map.getPane('overlayPane')?.prepend(canvas);
  }

  protected override redraw(): void {
    if (this.painted !== this.state) this.paint();
    this.transform();
  }

  /** The box of the dots at a point of the map's container. */
  boxAt({ x, y }: Point, slack: number): Bbox | null {
    const { density } = this.state;
    if (density === null) return null;
    const { picture, counts } = density;
    const pixelsPerCell = worldSize(this._map.getZoom()) / picture.across;
    const { x: left, y: top } = this._map.getPixelBounds().getTopLeft();
    return boxAroundDots({
      picture,
      counts,
      x: (left + x) / pixelsPerCell - picture.left,
      y: (top + y) / pixelsPerCell - picture.top,
      reach: slack / pixelsPerCell,
    });
  }

  private paint(): void {
    const { density, colour } = this.state;
    const context = this.canvas.getContext('2d');
    if (density === null || context === null) return;
    const { picture, counts } = density;
    const { width, height } = picture;
    this.canvas.width = picture.frameWidth;
    this.canvas.height = height;
    const bytes = paintDots({ counts, width, ink: inkOf(channelsOf(context, colour)) });
    const image = new ImageData(bytes, width, height);
    for (const copy of picture.copies) context.putImageData(image, copy, 0);
    this.frame = { scale: picture.across, left: picture.left, top: picture.top, width, height };
    this.painted = this.state;
  }
}

function channelsOf(context: CanvasRenderingContext2D, colour: string): [number, number, number] {
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  context.clearRect(0, 0, 1, 1);
  return [red, green, blue];
}

const DotsCanvas = createLayerComponent<DotsLayer, DotsLayerProps>(
  (props, context) => createElementObject(new DotsLayer(props), context),
  (layer, props) => layer.setState(props),
);

interface DotsProps {
  filters: DeviceFilters;
  /** The frame of the last request. */
  frame: Frame;
  colours: MapColours;
  enabled: boolean;
  /** Called with the box of the clicked dots, or null. */
  onClick: (bbox: Bbox | null) => void;
}

/** Shows every device as a dot. Lazily loaded. */
export function Dots({ filters, frame, colours, enabled, onClick }: DotsProps) {
  const map = useMap();
  const layer = useRef<DotsLayer>(null);
  const density = useDensity({ filters, picture: useMemo(() => pictureOf(padded(frame)), [frame]) });

  const boxAt = (event: LeafletMouseEvent) =>
    layer.current?.boxAt(event.containerPoint, isTouch(event) ? SLACK.touch : SLACK.dot) ?? null;
  useLeafletEvents(
    map,
    enabled
      ? {
          click: (event: LeafletMouseEvent) => onClick(boxAt(event)),
          mousemove: (event: LeafletMouseEvent) =>
            void map.getContainer().classList.toggle('map-on-symbol', boxAt(event) !== null),
        }
      : {},
  );
  return <DotsCanvas ref={layer} density={density} colour={colours.accent} />;
}

/** The number of devices per cell. */
interface Density {
  picture: Picture;
  counts: Uint8Array;
}

const AGAIN = 500;

/**
 * The densities for the cells of a picture. The previous ones stay until the next response. Null while the server
 * builds its index.
 */
function useDensity({ filters, picture }: { filters: DeviceFilters; picture: Picture | null }): Density | null {
  const query = useQuery({
    // Below the key of the symbols, so that both become outdated together.
    queryKey: queryKeys.map.density(filters, picture),
    queryFn: async ({ signal }): Promise<Density | null> => {
      const { bbox, width, height } = picture!;
      const query = queryString({
        ...{ audience: filters.audience, ...filterParams({ ...filters, bbox }) },
        ...{ width: String(width), height: String(height) },
      });
      const counts = new Uint8Array(await loadBytes(`/api/map/density?${query}`, signal));
      return counts.length === width * height ? { picture: picture!, counts } : null;
    },
    enabled: picture !== null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === null && !state.error ? AGAIN : false),
    gcTime: 0,
  });
  return query.data ?? null;
}
