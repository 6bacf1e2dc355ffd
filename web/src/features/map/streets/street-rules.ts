import {
  CenteredTextSymbolizer,
  exp,
  GeomType,
  LineLabelPlacement,
  LineLabelSymbolizer,
  LineSymbolizer,
  PolygonSymbolizer,
  type Feature,
  type Filter,
  type LabelRule,
  type PaintRule,
} from 'protomaps-leaflet';
import type { StreetLook } from './street-look.ts';

/** How the layers of the Protomaps basemap are drawn: https://docs.protomaps.com/basemaps/layers. */

/** Kinds of the layer `landuse`. */
const green = [
  'park',
  'national_park',
  'nature_reserve',
  'protected_area',
  'forest',
  'wood',
  'grass',
  'grassland',
  'meadow',
  'scrub',
  'allotments',
  'cemetery',
  'golf_course',
  'village_green',
  'recreation_ground',
  'playground',
];

/** `px`: the width by zoom. */
const roads = [
  { kinds: ['minor_road', 'other'], minzoom: 12, px: { 12: 0.6, 14: 1.8, 16: 6, 18: 15 } },
  { kinds: ['major_road'], minzoom: 8, px: { 8: 0.6, 12: 2, 14: 4, 16: 9, 18: 21 } },
  { kinds: ['highway'], minzoom: 7, px: { 7: 0.8, 10: 2, 14: 5, 16: 11, 18: 24 } },
];

/** Between two zooms, the width grows by the same factor. */
const width = (px: Record<number, number>, more = 0) =>
  exp(
    1.6,
    Object.entries(px).map(([zoom, value]) => [Number(zoom), value + more]),
  );

const isPolygon = ({ geomType }: Feature) => geomType === GeomType.Polygon;
const is =
  (...kinds: string[]): Filter =>
  (_, { props }) =>
    kinds.some((kind) => kind === props['kind']);

export function streetPaintRules(look: StreetLook): PaintRule[] {
  const area = (dataLayer: string, minzoom: number, fill: string, kinds?: string[]): PaintRule => ({
    dataLayer,
    minzoom,
    symbolizer: new PolygonSymbolizer({ fill }),
    filter: (zoom, feature) => isPolygon(feature) && (!kinds || is(...kinds)(zoom, feature)),
  });
  type Line = ConstructorParameters<typeof LineSymbolizer>[0];
  const line = (dataLayer: string, minzoom: number, kinds: string[], options: Line): PaintRule => ({
    dataLayer,
    minzoom,
    symbolizer: new LineSymbolizer(options),
    filter: (zoom, feature) => !isPolygon(feature) && is(...kinds)(zoom, feature),
  });
  const isMain = (kinds: string[]) => kinds.includes('highway');
  const edges = roads.map(({ kinds, minzoom, px }) => {
    const color = look[isMain(kinds) ? 'street-main-edge' : 'street-edge'];
    return line('roads', Math.max(minzoom, 11), kinds, { color, width: width(px, 1.6), lineJoin: 'round' });
  });
  const lanes = roads.map(({ kinds, minzoom, px }) => {
    const color = (zoom: number) => look[isMain(kinds) ? 'street-main' : zoom < 11 ? 'street-edge' : 'street'];
    return line('roads', minzoom, kinds, { color, width: width(px), lineCap: 'round', lineJoin: 'round' });
  });
  return [
    area('earth', 0, look.land),
    area('landuse', 0, look['street-park'], green),
    area('water', 0, look.sea),
    line('water', 11, ['river', 'canal', 'stream'], { color: look.sea, width: width({ 11: 0.8, 18: 8 }) }),
    area('buildings', 14, look['street-building']),
    line('roads', 15, ['path'], { color: look['street-path'], width: 1, dash: [3, 2] }),
    line('roads', 12, ['rail'], { color: look['street-rail'], width: width({ 12: 0.6, 18: 2.5 }) }),
    ...edges,
    ...lanes,
    line('boundaries', 0, ['country', 'region'], { color: look.border, width: 1, dash: [4, 3] }),
  ];
}

/** Those before have priority. */
export function streetLabelRules(look: StreetLook): LabelRule[] {
  const text = { labelProps: [`name:${look.language}`, 'name'], fontFamily: look.font, stroke: look.halo, width: 3 };
  type Text = { fontSize: number; fontWeight: number; fill: string };
  const place = (minzoom: number, options: Text, filter: Filter): LabelRule => ({
    dataLayer: 'places',
    minzoom,
    symbolizer: new CenteredTextSymbolizer({ ...text, ...options }),
    filter: (zoom, feature) => Number(feature.props['min_zoom'] ?? 0) <= zoom + 1 && filter(zoom, feature),
  });
  const isTown = ({ props }: Feature) => ['city', 'town'].some((kind) => kind === props['kind_detail']);
  const isLocality = is('locality');
  const small = { fontSize: 11, fontWeight: 500, fill: look.country };
  return [
    place(7, { fontSize: 13, fontWeight: 600, fill: look.city }, (z, one) => isLocality(z, one) && isTown(one)),
    place(10, { fontSize: 12, fontWeight: 500, fill: look.city }, (z, one) => isLocality(z, one) && !isTown(one)),
    place(12, small, is('neighbourhood', 'macrohood')),
    ...roads.toReversed().map(({ kinds, minzoom }): LabelRule => ({
      dataLayer: 'roads',
      minzoom: Math.max(13, minzoom + 3),
      symbolizer: new LineLabelSymbolizer({
        ...text,
        ...small,
        position: LineLabelPlacement.Center,
        repeatDistance: 320,
      }),
      filter: is(...kinds),
    })),
  ];
}
