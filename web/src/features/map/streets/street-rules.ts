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
import { language } from '../../../text/language.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import './streets.css';

/** How the layers of the Protomaps basemap are drawn: https://docs.protomaps.com/basemaps/layers. */

const names = [
  ...(['street', 'street-edge', 'street-main', 'street-main-edge'] as const),
  ...(['street-path', 'street-rail', 'street-park', 'street-building'] as const),
];

function readStreetColours(): Record<(typeof names)[number], string> {
  const style = getComputedStyle(document.body);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Record<
    (typeof names)[number],
    string
  >;
}

/** Kinds of the layer `landuse`. */
const green = [
  ...['park', 'national_park', 'nature_reserve', 'protected_area', 'forest', 'wood', 'grass', 'grassland', 'meadow'],
  ...['scrub', 'allotments', 'cemetery', 'golf_course', 'village_green', 'recreation_ground', 'playground'],
];

const isPolygon = ({ geomType }: Feature) => geomType === GeomType.Polygon;
const is =
  (...kinds: string[]) =>
  (_: number, { props }: Feature) =>
    kinds.some((kind) => kind === props['kind']);

/** Width by zoom, growing by the same factor with each zoom. */
const roads = [
  {
    kinds: ['minor_road', 'other'],
    minzoom: 12,
    width: [
      [12, 0.6],
      [14, 1.8],
      [16, 6],
      [18, 15],
    ],
  },
  {
    kinds: ['major_road'],
    minzoom: 8,
    width: [
      [8, 0.6],
      [12, 2],
      [14, 4],
      [16, 9],
      [18, 21],
    ],
  },
  {
    kinds: ['highway'],
    minzoom: 7,
    width: [
      [7, 0.8],
      [10, 2],
      [14, 5],
      [16, 11],
      [18, 24],
    ],
  },
];

export function streetPaintRules(colours: MapColours): PaintRule[] {
  const own = readStreetColours();
  const fill = (color: string) => new PolygonSymbolizer({ fill: color });
  const edges = roads.map(({ kinds, minzoom, width }): PaintRule => {
    const color = own[kinds.includes('highway') ? 'street-main-edge' : 'street-edge'];
    const wider = width.map(([zoom, px]) => [zoom!, px! + 1.6]);
    return {
      dataLayer: 'roads',
      minzoom: Math.max(minzoom, 11),
      symbolizer: new LineSymbolizer({ color, width: exp(1.6, wider), lineCap: 'butt', lineJoin: 'round' }),
      filter: is(...kinds),
    };
  });
  const lanes = roads.map(({ kinds, minzoom, width }): PaintRule => {
    const color = (zoom: number) =>
      kinds.includes('highway') ? own['street-main'] : zoom < 11 ? own['street-edge'] : own['street'];
    return {
      dataLayer: 'roads',
      minzoom,
      symbolizer: new LineSymbolizer({ color, width: exp(1.6, width), lineCap: 'round', lineJoin: 'round' }),
      filter: is(...kinds),
    };
  });
  return [
    { dataLayer: 'earth', symbolizer: fill(colours.land), filter: (_, feature) => isPolygon(feature) },
    {
      dataLayer: 'landuse',
      symbolizer: fill(own['street-park']),
      filter: (zoom, feature) => isPolygon(feature) && is(...green)(zoom, feature),
    },
    { dataLayer: 'water', symbolizer: fill(colours.sea), filter: (_, feature) => isPolygon(feature) },
    {
      dataLayer: 'water',
      minzoom: 11,
      symbolizer: new LineSymbolizer({
        color: colours.sea,
        width: exp(1.6, [
          [11, 0.8],
          [18, 8],
        ]),
      }),
      filter: (zoom, feature) => !isPolygon(feature) && is('river', 'canal', 'stream')(zoom, feature),
    },
    {
      dataLayer: 'buildings',
      minzoom: 14,
      symbolizer: fill(own['street-building']),
      filter: (_, feature) => isPolygon(feature),
    },
    {
      dataLayer: 'roads',
      minzoom: 15,
      symbolizer: new LineSymbolizer({ color: own['street-path'], width: 1, dash: [3, 2] }),
      filter: is('path'),
    },
    {
      dataLayer: 'roads',
      minzoom: 12,
      symbolizer: new LineSymbolizer({
        color: own['street-rail'],
        width: exp(1.6, [
          [12, 0.6],
          [18, 2.5],
        ]),
      }),
      filter: is('rail'),
    },
    ...edges,
    ...lanes,
    {
      dataLayer: 'boundaries',
      symbolizer: new LineSymbolizer({ color: colours.border, width: 1, dash: [4, 3] }),
      filter: is('country', 'region'),
    },
  ];
}

/** Those before have priority. */
export function streetLabelRules(colours: MapColours): LabelRule[] {
  const labelProps = [`name:${language}`, 'name'];
  const look = { labelProps, fontFamily: colours.font, stroke: colours.halo, width: 3 };
  const place = (
    options: { fontSize: number; fontWeight: number; fill: string; minzoom: number },
    filter: LabelRule['filter'],
  ): LabelRule => ({
    dataLayer: 'places',
    minzoom: options.minzoom,
    symbolizer: new CenteredTextSymbolizer({ ...look, ...options }),
    ...(filter && { filter }),
  });
  const isTown = ({ props }: Feature) => ['city', 'town'].some((kind) => kind === props['kind_detail']);
  const isNear = (zoom: number, { props }: Feature) => Number(props['min_zoom'] ?? 0) <= zoom + 1;
  const isLocality = is('locality');
  return [
    place(
      { fontSize: 13, fontWeight: 600, fill: colours.city, minzoom: 7 },
      (zoom, feature) => isLocality(zoom, feature) && isTown(feature) && isNear(zoom, feature),
    ),
    place(
      { fontSize: 12, fontWeight: 500, fill: colours.city, minzoom: 10 },
      (zoom, feature) => isLocality(zoom, feature) && !isTown(feature) && isNear(zoom, feature),
    ),
    place(
      { fontSize: 11, fontWeight: 500, fill: colours.country, minzoom: 12 },
      (zoom, feature) => is('neighbourhood', 'macrohood')(zoom, feature) && isNear(zoom, feature),
    ),
    ...roads.toReversed().map(({ kinds, minzoom }): LabelRule => ({
      dataLayer: 'roads',
      minzoom: Math.max(13, minzoom + 3),
      symbolizer: new LineLabelSymbolizer({
        ...look,
        fontSize: 11,
        fontWeight: 500,
        fill: colours.country,
        position: LineLabelPlacement.Center,
        repeatDistance: 320,
      }),
      filter: is(...kinds),
    })),
  ];
}
