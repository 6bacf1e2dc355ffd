import Supercluster from 'supercluster';
import { clusterRadius, maxZoom } from './peer.ts';

export interface RequestOptions {
  /** All, or those of `numbers`. */
  points?: Float64Array;
  numbers?: number[];
  bbox: [number, number, number, number];
  zoom: number;
}

const index = new Supercluster({ radius: clusterRadius, extent: 256, maxZoom });
let features: GeoJSON.Feature<GeoJSON.Point, object>[] = [];

addEventListener('message', ({ data: { points, numbers, bbox, zoom } }: MessageEvent<RequestOptions>) => {
  if (points) {
    const pointAt = (at: number): GeoJSON.Feature<GeoJSON.Point, object> => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Point', coordinates: [points[at * 2]!, points[at * 2 + 1]!] },
    });
    if (numbers) numbers.forEach((number, at) => (features[number] = pointAt(at)));
    else features = Array.from({ length: points.length / 2 }, (_, at) => pointAt(at));
    index.load(features);
  }
  postMessage(
    index.getClusters(bbox, zoom).map(({ geometry: { coordinates }, properties }) => {
      const count = 'point_count' in properties ? Number(properties.point_count) : 1;
      return [coordinates[0], coordinates[1], count];
    }),
  );
});
