import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { places } from './places.plugin.ts';
import { world } from './world.plugin.ts';

interface ModuleGraph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

/** The files that pull a module in without being asked for it, itself included. */
function staticImporters(id: string, graph: ModuleGraph, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const importer of graph.getModuleInfo(id)?.importers ?? []) staticImporters(importer, graph, found);
  return found;
}

/** Seen through the index files of their packages these look needed at once; in truth a later page needs them. */
const later =
  /leaflet\/(src\/layer\/(marker|tile)|lib\/Marker)|useQueries|queriesObserver|useMutation|mutationObserver/;

/** The file of the home page's map. */
const isMap = /\/map-[^/]+\.js$/;

/** What comes over every page, in one file. */
const over = /src\/(app\/(palette|help)\/|text\/en\.(palette|help))/;

/**
 * Few files until the map can be used: every one more costs a round trip and compresses worse. The page of devices, to
 * which every way in leads, stands in the entry; its map is one file more, of which the sign-in page needs a part.
 * What only later pages and dialogs have of the kit is one file too.
 */
function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (later.test(id)) return null;
  const importers = [...staticImporters(id, graph)];
  const isIn = (page: RegExp) => importers.some((importer) => page.test(importer));
  if (isIn(/src\/main\.tsx$/) || isIn(/routes\/home\.tsx$/)) return 'app';
  if (isIn(/map\/device-map\.tsx$/)) {
    return isIn(/map\/backdrop-map\.tsx$/) || id.endsWith('.css') ? 'basemap' : 'map';
  }
  if (over.test(id)) return 'over';
  return /src\/ui\//.test(id) ? 'ui' : null;
}

/**
 * Leaves out two handlers of Leaflet that this app has no use for, the box drawn with Shift and the long press; and two
 * that come with the names (late-handlers.tsx): nobody has keys or two fingers on a map before it is drawn.
 */
const leafletHandlers: Plugin = {
  name: 'leaflet-handlers',
  transform: {
    filter: { id: /leaflet\/src\/map\/index\.js$/ },
    handler: (code) => code.replace(/^.*(BoxZoom|TapHold|TouchZoom|Keyboard).*$/gm, ''),
  },
};

// The BFF answers with a strict content security policy: nothing may be inlined into the page.
export default defineConfig({
  plugins: [react(), leafletHandlers, world, places],
  resolve: {
    // Leaflet from its sources, so that what nobody imports falls away: its one-file build keeps everything.
    alias: [{ find: /^leaflet$/, replacement: 'leaflet/src/Leaflet.js' }],
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    // What a page needs beside its own file is listed in the first one, in a kilobyte of hashes: only the map's is. A
    // later page's is found a round trip later, or is there by then.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) =>
        isMap.test(file) ? needed : needed.filter((name) => name.endsWith('.css')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: chunkOf, debugName: 'chunkOf' }], includeDependenciesRecursively: false },
        // names do not compress, and the first file lists all the others: half a kilobyte of the 150
        chunkFileNames: ({ name }) => (name === 'map' ? 'assets/map-[hash:7].js' : 'assets/[hash:7].js'),
        assetFileNames: 'assets/[hash:7][extname]',
      },
      treeshake: {
        // Only the handlers of the map (drag, wheel, keys, touch) work by being there.
        moduleSideEffects: [{ test: /leaflet\/src\/(?!map\/)/, sideEffects: false }],
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/service', '/docs', '/healthz', '/readyz'].map((path) => [path, 'http://127.0.0.1:3000']),
    ),
  },
});
