import {
  CenteredTextSymbolizer,
  exp,
  GeomType,
  LineLabelPlacement,
  LineLabelSymbolizer,
  LineSymbolizer,
  PolygonSymbolizer,
  type Feature,
  type LabelRule,
  type PaintRule,
} from 'protomaps-leaflet';
import type { Part, RoadClass, StreetLayers } from './street-layers.ts';
import type { StreetLook } from './street-look.ts';

/** How the parts of a map are drawn, whatever layers its tiles have. */

/** `px`: the width by zoom. */
const roads: { of: RoadClass; minzoom: number; px: Record<number, number> }[] = [
  { of: 'minor', minzoom: 12, px: { 12: 0.6, 14: 1.8, 16: 6, 18: 15 } },
  { of: 'major', minzoom: 8, px: { 8: 0.6, 12: 2, 14: 4, 16: 9, 18: 21 } },
  { of: 'main', minzoom: 7, px: { 7: 0.8, 10: 2, 14: 5, 16: 11, 18: 24 } },
];

/** Between two zooms, the width grows by the same factor. */
const width = (px: Record<number, number>, more = 0) =>
  exp(
    1.6,
    Object.entries(px).map(([zoom, value]) => [Number(zoom), value + more]),
  );

const isPolygon = ({ geomType }: Feature) => geomType === GeomType.Polygon;

export function streetPaintRules(look: StreetLook, layers: StreetLayers): PaintRule[] {
  const area = ({ layer, is }: Part, minzoom: number, fill: string): PaintRule => ({
    dataLayer: layer,
    minzoom,
    symbolizer: new PolygonSymbolizer({ fill }),
    filter: (_, feature) => isPolygon(feature) && (!is || is(feature.props)),
  });
  type Line = ConstructorParameters<typeof LineSymbolizer>[0];
  const line = ({ layer, is }: Part, minzoom: number, options: Line): PaintRule => ({
    dataLayer: layer,
    minzoom,
    symbolizer: new LineSymbolizer(options),
    filter: (_, feature) => !isPolygon(feature) && (!is || is(feature.props)),
  });
  const edges = roads.map(({ of, minzoom, px }) => {
    const color = look[of === 'main' ? 'street-main-edge' : 'street-edge'];
    return line(layers.roads[of], Math.max(minzoom, 11), { color, width: width(px, 1.6), lineJoin: 'round' });
  });
  const lanes = roads.map(({ of, minzoom, px }) => {
    const color = (zoom: number) => look[of === 'main' ? 'street-main' : zoom < 11 ? 'street-edge' : 'street'];
    return line(layers.roads[of], minzoom, { color, width: width(px), lineCap: 'round', lineJoin: 'round' });
  });
  return [
    ...layers.land.map((part) => area(part, 0, look.land)),
    ...layers.green.map((part) => area(part, 0, look['street-park'])),
    ...layers.water.map((part) => area(part, 0, look.sea)),
    line(layers.rivers, 11, { color: look.sea, width: width({ 11: 0.8, 18: 8 }) }),
    area(layers.buildings, 14, look['street-building']),
    line(layers.paths, 15, { color: look['street-path'], width: 1, dash: [3, 2] }),
    line(layers.rails, 12, { color: look['street-rail'], width: width({ 12: 0.6, 18: 2.5 }) }),
    ...edges,
    ...lanes,
    line(layers.borders, 0, { color: look.border, width: 1, dash: [4, 3] }),
  ];
}

/** Those before have priority. */
export function streetLabelRules(look: StreetLook, layers: StreetLayers): LabelRule[] {
  const { language, font, halo } = look;
  const text = {
    labelProps: [`name:${language}`, `name_${language}`, 'name'],
    fontFamily: font,
    stroke: halo,
    width: 3,
    // The halo of a line would cover the line above it.
    lineHeight: 1.4,
  };
  type Text = { fontSize: number; fontWeight: number; fill: string };
  const place = ({ layer, is }: Part, minzoom: number, options: Text): LabelRule => ({
    dataLayer: layer,
    minzoom,
    symbolizer: new CenteredTextSymbolizer({ ...text, ...options }),
    filter: (zoom, { props }) => Number(props['min_zoom'] ?? 0) <= zoom + 1 && (!is || is(props)),
  });
  const { towns, villages, quarters } = layers.places;
  const small = { fontSize: 11, fontWeight: 500, fill: look.country };
  return [
    place(towns, 7, { fontSize: 13, fontWeight: 600, fill: look.city }),
    place(villages, 10, { fontSize: 12, fontWeight: 500, fill: look.city }),
    place(quarters, 12, small),
    ...roads.toReversed().map(({ of, minzoom }): LabelRule => ({
      dataLayer: layers.roadNames,
      minzoom: Math.max(13, minzoom + 3),
      symbolizer: new LineLabelSymbolizer({
        ...text,
        ...small,
        position: LineLabelPlacement.Center,
        repeatDistance: 320,
      }),
      filter: (_, { props }) => layers.roads[of].is?.(props) === true,
    })),
  ];
}
