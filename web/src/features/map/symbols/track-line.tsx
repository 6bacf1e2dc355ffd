import type { Position } from '@swarmdeck/bff/contract';
import { latLngBounds, type LayerOptions, type Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useMap } from 'react-leaflet';
import type { ShownTrack } from '../../../data/cache/track.ts';
import { useMapColours } from '../canvas/map-colours.ts';
import { layerComponent, PaddedLayer, paddedView } from '../canvas/padded-layer.ts';
import { longitudeNear, shownY, worldX } from '../geometry/mercator.ts';
import { FIT_MAX_ZOOM, MAX_ZOOM } from '../geometry/view.ts';

const width = 3;
const edge = 1.5;
const radius = 7;
/** In pixels, between the chosen point and the edge of the map. */
const margin = 40;
/** In pixels. A smaller track is under the symbol of its device. */
const legible = 80;

interface TrackProps extends LayerOptions {
  line: readonly [latitude: number, longitude: number][];
  /** The index of the chosen point; null: none, because the device itself is at the newest one. */
  chosen: number | null;
  accent: string;
  panel: string;
}

/** A canvas of its own: the paths of Leaflet would be 8 kB more. */
class TrackLayer extends PaddedLayer<TrackProps> {
  constructor(state: TrackProps) {
    super({ className: 'map-track', state });
  }

  protected override redraw(): void {
    const { line, chosen, accent, panel } = this.state;
    const view = paddedView(this._map);
    const pen = this.freshContext(view);
    if (!pen) return;
    const { scale, left, top } = view.frame;
    const shift = shiftOf(line, this._map);
    const points = line.map(
      ([latitude, longitude]) => [worldX(longitude + shift) * scale - left, shownY(latitude) * scale - top] as const,
    );
    pen.lineJoin = 'round';
    pen.lineCap = 'round';
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    stroke(pen, panel, width + 2 * edge);
    stroke(pen, accent, width);
    const at = chosen === null ? undefined : points[chosen];
    if (!at) return;
    pen.beginPath();
    pen.arc(...at, radius, 0, 2 * Math.PI);
    pen.fillStyle = panel;
    pen.fill();
    stroke(pen, accent, width);
  }
}

function stroke(pen: CanvasRenderingContext2D, colour: string, lineWidth: number) {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.stroke();
}

const TrackCanvas = layerComponent(TrackLayer);

interface TrackLineProps extends Pick<ShownTrack, 'points' | 'end' | 'chosen'> {
  /** The map shows all of it at first. */
  fits?: boolean;
}

/** Where a device was, as a line, with a ring at the chosen point. A part of a map. */
export function TrackLine({ points, end, chosen, fits = false }: TrackLineProps) {
  const map = useMap();
  const { accent, panel } = useMapColours();
  const line = useMemo(() => lineOf(end ? [...points, end] : points), [points, end]);
  const at = chosen === null ? undefined : line[chosen];
  const padding: [number, number] = [margin, margin];
  const frame = () => {
    const shift = shiftOf(line, map);
    return { shift, bounds: latLngBounds(line.map(([latitude, longitude]) => [latitude, longitude + shift])) };
  };
  const show = (point: readonly [number, number]) => {
    const { shift, bounds } = frame();
    const corner = map.latLngToContainerPoint(bounds.getNorthWest());
    if (corner.distanceTo(map.latLngToContainerPoint(bounds.getSouthEast())) < legible)
      map.fitBounds(bounds, { padding, maxZoom: MAX_ZOOM });
    else map.panInside([point[0], point[1] + shift], { padding });
  };
  const fit = useEffectEvent(() => {
    if (fits && line.length > 1) map.fitBounds(frame().bounds, { padding, maxZoom: FIT_MAX_ZOOM, animate: false });
  });
  useEffect(() => fit(), []);
  // Not at each move of the device, which makes a new line.
  const time = chosen === null ? undefined : points[chosen]?.at;
  const showChosen = useEffectEvent(() => at && show(at));
  useEffect(() => {
    if (time !== undefined) showChosen();
  }, [time]);
  return <TrackCanvas line={line} chosen={chosen} accent={accent} panel={panel} />;
}

/** In degrees, to the visible copy of the world. */
function shiftOf(line: TrackProps['line'], map: LeafletMap): number {
  const last = line.at(-1)?.[1] ?? 0;
  return longitudeNear(last, map.getCenter().lng) - last;
}

/** Across the antimeridian too, each point is near the next one. */
export function lineOf(points: readonly Position[]): [latitude: number, longitude: number][] {
  let near = points.at(-1)?.longitude ?? 0;
  return points
    .toReversed()
    .map(({ latitude, longitude }): [number, number] => [latitude, (near = longitudeNear(longitude, near))])
    .toReversed();
}
