import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** In bytes. Larger files are left out: the names of villages. */
const largest = 512 * 1024;
/** Of the cells of the map, the worker keeps those that were shown. */
const leftOut = /^\.vite\/|^assets\/cells-/;
const fileName = 'service-worker.js';
/** Of a module in the worker, which is one script: what the app has too is there twice. */
const copy = '?of-service-worker';
const isOfWorker = (id: string | undefined) => id?.endsWith(copy) || id?.endsWith('src/service-worker.ts');

/**
 * Builds `src/service-worker.ts` with the list of the app's files, in the form of Workbox. Vite names files by their
 * content, except those of `public` and the HTML, which need a revision.
 */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  // the build for the journeys has no public files
  apply: ({ publicDir }, { command }) => command === 'build' && publicDir !== false,
  buildStart() {
    this.emitFile({ type: 'chunk', id: 'src/service-worker.ts', fileName });
  },
  resolveId: {
    order: 'pre',
    async handler(source, importer) {
      if (!isOfWorker(importer)) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && { ...found, id: `${found.id}${copy}` };
    },
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const { publicDir } = this.environment.config;
      const worker = bundle[fileName];
      if (worker?.type !== 'chunk' || worker.imports.length > 0) throw new Error(`${fileName} must be one script`);
      const built = Object.values(bundle)
        .filter((output) => output !== worker && !leftOut.test(output.fileName))
        .map((output) => ({
          url: output.fileName,
          bytes: Buffer.from(output.type === 'chunk' ? output.code : output.source),
        }));
      const copied = readdirSync(publicDir).map((url) => ({ url, bytes: readFileSync(join(publicDir, url)) }));
      const files = [...built, ...copied]
        .filter(({ bytes }) => bytes.length <= largest)
        .map(({ url, bytes }) => ({ url: `/${url}`, revision: url.startsWith('assets/') ? null : revisionOf(bytes) }));
      worker.code = worker.code.replace('self.__WB_MANIFEST', JSON.stringify(files));
    },
  },
};

const revisionOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
