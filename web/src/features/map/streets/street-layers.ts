/** What the layers of each schema of vector tiles show. */
import type { TileLayers } from '@swarmdeck/bff/contract';

type Properties = Readonly<Record<string, unknown>>;

/** The features of a layer, or those for which `is` returns true. */
export interface Part {
  layer: string;
  is?: (properties: Properties) => boolean;
}

export interface StreetLayers {
  /** What is where no polygon is. */
  ground: 'land' | 'sea';
  /** Without one of these layers, a tile does not tell land from sea. Empty: every tile does. */
  groundLayers: string[];
  land: Part[];
  green: Part[];
  water: Part[];
  rivers: Part;
  buildings: Part;
  paths: Part;
  rails: Part;
  roads: Record<RoadClass, Part>;
  /** The layer with the names of roads. */
  roadNames: string;
  borders: Part;
  places: Record<'towns' | 'villages' | 'quarters', Part>;
}

export type RoadClass = 'minor' | 'major' | 'main';

const by = (property: string) => (layer: string, kinds: string[]) => ({
  layer,
  is: (properties: Properties) => kinds.some((kind) => kind === properties[property]),
});
const byKind = by('kind');
const byClass = by('class');

/** Borders of countries and regions on land. */
const byLevel = (layer: string): Part => ({
  layer,
  is: ({ admin_level: level, maritime }) => (level === 2 || level === 4) && !maritime,
});

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
const waterways = ['river', 'canal', 'stream'];
const major = ['trunk', 'primary', 'secondary', 'tertiary'];
const quarters = ['suburb', 'quarter', 'neighbourhood'];
const villages = ['village', 'hamlet'];

export const streetLayers: Record<TileLayers, StreetLayers> = {
  // https://docs.protomaps.com/basemaps/layers
  protomaps: {
    ground: 'sea',
    groundLayers: ['earth', 'water'],
    land: [{ layer: 'earth' }],
    green: [byKind('landuse', green)],
    water: [{ layer: 'water' }],
    rivers: byKind('water', waterways),
    buildings: { layer: 'buildings' },
    paths: byKind('roads', ['path']),
    rails: byKind('roads', ['rail']),
    roads: {
      minor: byKind('roads', ['minor_road', 'other']),
      major: byKind('roads', ['major_road']),
      main: byKind('roads', ['highway']),
    },
    roadNames: 'roads',
    borders: byKind('boundaries', ['country', 'region']),
    places: {
      towns: { layer: 'places', is: (one) => one['kind'] === 'locality' && isTown(one['kind_detail']) },
      villages: { layer: 'places', is: (one) => one['kind'] === 'locality' && !isTown(one['kind_detail']) },
      quarters: byKind('places', ['neighbourhood', 'macrohood']),
    },
  },
  // https://openmaptiles.org/schema/
  openmaptiles: {
    ground: 'land',
    groundLayers: [],
    land: [],
    green: [byClass('landcover', ['wood', 'grass']), byClass('landuse', green), { layer: 'park' }],
    water: [{ layer: 'water', is: ({ brunnel }) => brunnel !== 'tunnel' }],
    rivers: byClass('waterway', waterways),
    buildings: { layer: 'building' },
    paths: byClass('transportation', ['path', 'track']),
    rails: byClass('transportation', ['rail', 'transit']),
    roads: {
      minor: byClass('transportation', ['minor', 'service', 'busway', 'raceway']),
      major: byClass('transportation', major),
      main: byClass('transportation', ['motorway']),
    },
    roadNames: 'transportation_name',
    borders: byLevel('boundary'),
    places: {
      towns: byClass('place', ['city', 'town']),
      villages: byClass('place', villages),
      quarters: byClass('place', quarters),
    },
  },
  // https://shortbread-tiles.org/schema/1.0/
  shortbread: {
    ground: 'land',
    groundLayers: [],
    land: [],
    green: [byKind('land', [...green, 'garden', 'heath', 'orchard', 'vineyard'])],
    water: [{ layer: 'ocean' }, { layer: 'water_polygons', is: ({ kind }) => kind !== 'glacier' }],
    rivers: byKind('water_lines', waterways),
    buildings: { layer: 'buildings' },
    paths: byKind('streets', ['footway', 'path', 'track', 'cycleway', 'steps', 'bridleway']),
    rails: byKind('streets', ['rail', 'narrow_gauge', 'tram', 'light_rail', 'subway', 'funicular', 'monorail']),
    roads: {
      minor: byKind('streets', ['unclassified', 'residential', 'living_street', 'service', 'pedestrian', 'busway']),
      major: byKind('streets', major),
      main: byKind('streets', ['motorway']),
    },
    roadNames: 'street_labels',
    borders: byLevel('boundaries'),
    places: {
      towns: byKind('place_labels', ['capital', 'state_capital', 'city', 'town']),
      villages: byKind('place_labels', villages),
      quarters: byKind('place_labels', quarters),
    },
  },
};

function isTown(detail: unknown): boolean {
  return detail === 'city' || detail === 'town';
}
