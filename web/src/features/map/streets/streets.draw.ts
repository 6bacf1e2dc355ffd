import type { TileLayers } from '@swarmdeck/bff/contract';
import { Labeler, paint, PmtilesSource, TileCache, View, type Feature, type TileSource } from 'protomaps-leaflet';
import { isFromServer } from '../../../data/server-response.ts';
import type { Disc, Rect } from '../geometry/boxes.ts';
import { TILE, worldSize } from '../geometry/mercator.ts';
import { Occupied } from '../geometry/occupied.ts';
import type { Frame } from '../geometry/trace.ts';
import { streetLayers } from './street-layers.ts';
import { joinRoads } from './street-lines.ts';
import type { StreetLook } from './street-look.ts';
import { streetLabelRules, streetPaintRules } from './street-rules.ts';

/** A vector tile is drawn as the four tiles of the next zoom, as the Protomaps basemap is designed for. */
const LEVELS = 1;
/** How far outside a tile a feature can be whose line is visible in it, in px. */
const WIDEST_LINE = 16;
/** The most vector tiles whose names are known, more than the largest screen shows. */
const MOST_TILES = 64;

interface Tile {
  z: number;
  x: number;
  y: number;
}

export interface NamesRequest {
  /** The frame of what is drawn. */
  frame: Frame;
  /** Positions are known for whole zooms. Between them, names move apart or together, but keep their size. */
  zoom: number;
  /** What no name may cover, in px of the frame. */
  discs: Disc[];
  boxes: Rect[];
  ratio: number;
  /** The text of what is shown. */
  drawn: string;
  tiles: Tile[];
}

export type StreetsRequest = { look: StreetLook; layers: TileLayers; maxZoom: number } & (
  | { tile: Tile & { ratio: number } }
  | { names: NamesRequest }
);

/** `picture`: null if the server has no such tile, or if the same names are shown already. */
export type StreetsReply = { picture: ImageBitmap | null; drawn: string } | 'failed';

/**
 * The package reads archives. Ours is on the server, which answers with a tile. The layers are in the address, because a browser
 * keeps tiles for a day, in which the operator may install a file with others.
 */
const archiveOf = (layers: TileLayers) =>
  ({
    async getZxy(z: number, x: number, y: number) {
      const response = await fetch(`/api/tiles/${z}/${x}/${y}?layers=${layers}`);
      const isOurs = isFromServer(response);
      if (isOurs && response.status === 404) return undefined;
      if (!isOurs || !response.ok) throw new Error(`HTTP ${response.status}`);
      return { data: await response.arrayBuffer() };
    },
  }) as ConstructorParameters<typeof PmtilesSource>[0];

/** Decoded tiles. */
function createCache(layers: TileLayers): TileCache {
  const source: TileSource = {
    // A source has a list of all its requests, so each has its own.
    get: (tile, size) => new PmtilesSource(archiveOf(layers), false).get(tile, size),
  };
  return new TileCache(source, TILE << LEVELS);
}

function createCanvas(width: number, height: number) {
  const canvas = new OffscreenCanvas(width, height);
  // The package uses only what both kinds of contexts have.
  return { canvas, context: canvas.getContext('2d') as unknown as CanvasRenderingContext2D };
}

type Layers = Map<string, Feature[]>;

/** Draws vector tiles and the names in them. */
export function createStreets({ look, layers: schema, maxZoom }: StreetsRequest) {
  const layers = streetLayers[schema];
  const view = new View(createCache(schema), maxZoom, LEVELS);
  const rules = streetPaintRules(look, layers);
  let labeler: Labeler | undefined;
  /** By the layers of a tile: the same with whole roads, for their names. */
  const named = new WeakMap<Layers, Layers>();

  function namedOf(data: Layers): Layers {
    let known = named.get(data);
    if (!known) {
      known = new Map(data).set(layers.roadNames, joinRoads(data.get(layers.roadNames) ?? []));
      named.set(data, known);
    }
    return known;
  }

  async function drawTile({ z, x, y, ratio }: Tile & { ratio: number }): Promise<ImageBitmap | null> {
    const tile = await view.getDisplayTile({ z, x, y });
    if (tile.data.size === 0) return null;
    const size = Math.round(TILE * ratio);
    const { canvas, context } = createCanvas(size, size);
    const [west, north] = [x * TILE, y * TILE];
    const sharp = size / TILE;
    context.setTransform(sharp, 0, 0, sharp, (tile.origin.x - west) * sharp, (tile.origin.y - north) * sharp);
    // Without these layers, the land and the sea of the built-in map are visible.
    if (layers.groundLayers.length === 0 || layers.groundLayers.some((name) => tile.data.has(name))) {
      context.fillStyle = look[layers.ground];
      context.fillRect(west - tile.origin.x, north - tile.origin.y, TILE, TILE);
    }
    const box = {
      minX: west - WIDEST_LINE,
      minY: north - WIDEST_LINE,
      maxX: west + TILE + WIDEST_LINE,
      maxY: north + TILE + WIDEST_LINE,
    };
    paint(context, z, new Map([['', [tile]]]), null, rules, box, tile.origin, false);
    return canvas.transferToImageBitmap();
  }

  async function drawNames(request: NamesRequest): Promise<StreetsReply> {
    const { frame, zoom, tiles, ratio } = request;
    if (labeler?.z !== zoom)
      labeler = new Labeler(zoom, createCanvas(1, 1).context, streetLabelRules(look, layers), MOST_TILES);
    const { index } = labeler;
    for (const tile of await Promise.all(tiles.map((each) => view.getDisplayTile(each))))
      labeler.add(new Map([['', [{ ...tile, data: namedOf(tile.data) }]]]));
    const names = tiles.length === 0 ? [] : place(index, request);
    const drawn = [ratio, frame.scale, frame.left, frame.top, frame.width, frame.height]
      .concat(names.flatMap(({ label, x, y }) => [label.order, x, y]))
      .join();
    if (drawn === request.drawn) return { picture: null, drawn };
    const { canvas, context } = createCanvas(Math.round(frame.width * ratio), Math.round(frame.height * ratio));
    context.scale(ratio, ratio);
    context.lineJoin = 'round';
    for (const { label, x, y } of names) {
      context.save();
      context.translate(x, y);
      label.draw(context);
      context.restore();
    }
    return { picture: canvas.transferToImageBitmap(), drawn };
  }

  return async (request: StreetsRequest): Promise<StreetsReply> =>
    'tile' in request ? { picture: await drawTile(request.tile), drawn: '' } : drawNames(request.names);
}

/** The names that cover nothing, and no name before them, with their positions in px of the frame. */
function place(index: Labeler['index'], { frame, zoom, discs, boxes }: NamesRequest) {
  const grown = frame.scale / worldSize(zoom);
  const box = {
    minX: frame.left / grown,
    minY: frame.top / grown,
    maxX: (frame.left + frame.width) / grown,
    maxY: (frame.top + frame.height) / grown,
  };
  const occupied = new Occupied();
  for (const disc of discs) occupied.addDisc(disc);
  for (const each of boxes) occupied.addBox(each);
  return [...index.searchBbox(box, Number.POSITIVE_INFINITY)]
    .toSorted((a, b) => a.order - b.order || a.anchor.y - b.anchor.y || a.anchor.x - b.anchor.x)
    .flatMap((label) => {
      const { anchor, bboxes } = label;
      const x = anchor.x * grown - frame.left;
      const y = anchor.y * grown - frame.top;
      const covered = bboxes.map(({ minX, minY, maxX, maxY }) => ({
        left: x + minX - anchor.x,
        top: y + minY - anchor.y,
        right: x + maxX - anchor.x,
        bottom: y + maxY - anchor.y,
      }));
      if (!covered.every((each) => occupied.isFree(each))) return [];
      for (const each of covered) occupied.addBox(each);
      return [{ label, x, y }];
    });
}
