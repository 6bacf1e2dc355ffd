import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { boot } from './boot.plugin.ts';
import { cells } from './cells.plugin.ts';
import { chunkOf } from './chunks.ts';
import { compileEarly } from './compile-early.plugin.ts';
import { layers } from './layers.plugin.ts';
import { places } from './places.plugin.ts';
import { preload } from './preload-list.plugin.ts';
import { reactRouter } from './react-router.plugin.ts';
import { serviceWorker } from './service-worker.plugin.ts';
import { texts } from './texts.plugin.ts';
import { world } from './world.plugin.ts';

// The BFF answers with a strict content security policy: nothing may be inlined into the page.
export default defineConfig({
  plugins: [react(), reactRouter, layers, world, places, cells, preload, texts(), boot, serviceWorker, compileEarly],
  resolve: {
    // The sources in Leaflet's package: of its one-file build nothing can be left out, which is 23 kB gzip more.
    alias: [{ find: /^leaflet$/, replacement: 'leaflet/src/Leaflet.js' }],
  },
  build: {
    outDir: 'dist',
    // The oldest browsers that have all that the app uses (`URL.parse`, popovers); README.md and .oxlintrc.json name them too.
    target: ['chrome126', 'edge126', 'firefox126', 'safari18'],
    manifest: true,
    license: { fileName: '.vite/licenses.json' },
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The parts name what they need, without what the first files have and what can wait for a round trip. The first files name
      // only styles: `public/boot.js` preloads the page that is opened, and a list of all others costs each page 1 kB.
      resolveDependencies(file, needed, { hostId, hostType }) {
        if (hostType === 'html') return needed;
        const canWait = file.includes('/later-') || /\/(map|index)-/.test(hostId);
        const isKnown = /\/(vendor|rolldown-runtime|index|public|common|later|texts)-/;
        return needed.filter((name) => (canWait ? name.endsWith('.css') : !isKnown.test(name)));
      },
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: chunkOf,
              test: /^(?!.*(?:src\/service-worker|of-service-worker))/,
              debugName: 'parts',
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4_000 },
          ],
        },
        chunkFileNames({ name }) {
          if (name.startsWith('texts-')) return 'assets/texts-[hash:7].js';
          const isNamed =
            /^(vendor|rolldown-runtime|home|public|common|later(-devices|-map)?|map|(world\.)?cells)$/.test(name);
          return isNamed ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js';
        },
        assetFileNames: 'assets/[hash:7][extname]',
      },
      treeshake: {
        // the handlers of the map register themselves (map/frame/handlers.ts)
        moduleSideEffects: [{ test: /leaflet\/src\/(?!map\/handler\/)/, sideEffects: false }],
        // What forgets a page is for tests (src/data/new-page.ts): the product's build has nothing of it.
        manualPureFunctions: ['onNewPage'],
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/guest', '/service', '/docs', '/healthz', '/readyz'].map((path) => [
        path,
        'http://127.0.0.1:3000',
      ]),
    ),
  },
});
