import type { Rolldown } from 'vite';

/** Parts that a page loads once its first view is there. */
export const laterParts =
  /app\/(app-commands|live|help|palette|tooltips|late-parts|outbox\.tsx|undo-last|undo-toasts|unreachable\.tsx|connection-badge)/;
/** The same, of pages that show devices: other pages would load all that these need. */
export const laterDeviceParts = /device-card|home\/waiting-devices|saved-views\/saved-views\.tsx|home-foot/;
const outbox = /app\/outbox\.tsx/;
const laterMapParts = /map\/(names|tiles|streets)\/|map-extras/;
/** The first tile of a map waits for it. */
const tiles = /map\/tiles\//;
/** A second visit reads them before its first render. */
const stored =
  /app\/stored-data|cache\/key-parts|outbox\/outbox-database|stream\/own-changes|idb-keyval|query-core\/.*\/hydration/;
/** Leaflet's one entry imports them, but only maps on which a device is placed or the user is located draw them. */
const markers = /leaflet\/src\/layer\/marker\/|react-leaflet\/lib\/Marker/;
/** The same, for what only `map-extras.tsx` uses. */
const extras = /handler\/Map\.BoxZoom/;
/** React Query's one entry imports them, but only `no-match.tsx` uses them. */
const queriesOfParts = /useQueries|queriesObserver/;
/** What the app changes by requests: home requests nothing of it at first. */
const mutations = /react-query\/.*\/(?:useMutation|useIsFetching)|query-core\/.*\/mutationObserver/;
/** What users do to records. A page that only shows some would load them with its dialogs. */
const actions = /data\/actions\/|data\/cache\/(?:query-cache|memberships)|merge-fields/;
/** Pages that share small modules with the import would load how it reads files. */
const files = /csv-parser/;
/** The same, for what chooses devices. */
const choice = /members\/device-choice/;
/** Maps and the names of places load them. */
const cells = /src\/data\/cell|virtual:cells/;
/** What every page loads first. */
const entry = /\.html$/;
const deviceMap = /map\/device-map\.tsx/;
/** The sign-in page draws its backdrop without the map library. */
const mapParts = /features\/map\/(?!backdrop)/;
const allMapParts = /features\/map\//;

/** A page, without what it loads after its first view. Both walls are one. */
const page = /src\/routes\/(?!.*-foot|new-share-link)(?:swarm-(?=wall))?([a-z-]+)/;
/** Those without a session load nothing of what only the others share. */
const publicPages = new Set(['sign-in', 'view', 'not-found', 'share']);
const ofAccount = /features\/(account|activity|sign-in|keys)\//;

/** The texts of a language that some code shows (texts.plugin.ts). What all of them use is with the first ones. */
const textsOfPart = /src\/text\/([\w-]+)\/(?:[^?]+\?texts=(.+)|(?:plural|device-menu)\.ts)$/;

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/**
 * Names the file of a module by the parts of the app that need it: a browser loads six files at a time, and each costs
 * processor time. What no rule names is in a file with the modules that the same parts need.
 */
export function chunkOf(module: string, graph: Graph): string | null {
  const [, language, group] = textsOfPart.exec(module) ?? [];
  if (language) return `texts-${language}-${group ?? 'first'}`;
  const parts = partsWith(module, graph);
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part));
  const hasOnly = (...patterns: RegExp[]) => parts.every((part) => patterns.some((pattern) => pattern.test(part)));
  if (has(tiles) && hasOnly(laterMapParts)) return 'tiles';
  if (has(laterParts) && hasOnly(laterParts, laterDeviceParts, laterMapParts)) return 'later';
  // a guest's map would otherwise load home
  if (hasOnly(laterDeviceParts, laterMapParts)) return has(laterMapParts) ? 'later-map' : 'later-devices';
  if (stored.test(module)) return 'stored';
  if (markers.test(module)) return 'markers';
  if (extras.test(module)) return 'later-map';
  if (cells.test(module)) return 'cells';
  if (queriesOfParts.test(module)) return 'later-devices';
  if (has(deviceMap) && hasOnly(mapParts)) return 'map';
  if (has(deviceMap) && hasOnly(allMapParts)) return 'basemap';
  if (mutations.test(module)) return 'public';
  if (has(entry)) return module.includes('/node_modules/') ? 'vendor' : 'app';
  // a phone's home page would otherwise wait for all that the other pages share
  if (/ui\/sheet\/sheet[.-]/.test(module)) return 'sheet';
  const pages = [...new Set(parts.flatMap((part) => page.exec(part)?.[1] ?? []))];
  // Every page loads it later, so it shares no file with what only pages need.
  const isLater = has(laterParts);
  const isShared = pages.length > 1;
  const isOfHome = pages.includes('home');
  const isPublic = pages.some((name) => publicPages.has(name));
  if (pages.length > 0) {
    // What home shares is in the first files: a file of its own would cost home 1 kB more.
    if (isOfHome) return isShared || isLater || module.endsWith('.css') ? 'app' : 'home';
    if ((isPublic && (isLater || pages.length > 2)) || module.includes('/src/text/')) return 'public';
    // A file for each style sheet of one page would have twice the size.
    if (module.endsWith('.css') && !isPublic) return isLater ? 'common' : isShared ? 'styles' : `styles-${pages[0]}`;
    // forms of swarms share small modules with those of devices, and would load the outbox with them
    if (/data\/outbox\//.test(module)) return 'edits';
    if (actions.test(module)) return 'actions';
    if (files.test(module)) return 'files';
    if (choice.test(module)) return 'choice';
    if (isLater && isShared) return pages.length > 4 ? 'common' : null;
    if (!isLater && pages.length > 2) return 'pages';
    if (!isLater && pages.length === 2) return null;
    // What a page shares with its own parts would otherwise be a file for each set of them.
    if (!isLater && parts.length > 1) return `of-${pages[0]}`;
  }
  // What no page needs first is in files of its own: a page would otherwise load it with what it needs.
  if (pages.length === 0 && isLater) return 'more';
  if (pages.length === 0 && parts.length > 1) {
    if (ofAccount.test(module)) return 'account-parts';
    if (/src\/bulk\//.test(module)) return 'bulk';
    if (/src\/(ui|data|shared)\/|uqr/.test(module)) return 'more';
  }
  // every page loads the outbox: it would otherwise load all dialogs of devices with it
  if (has(outbox) && /features\/devices\/(?!form\/coordinates)/.test(module)) return 'unsent';
  // the page of a device would otherwise load a file for each set of parts that share them
  if (parts.length > 1 && /features\/devices\/(?!form\/coordinates)/.test(module)) return 'devices';
  return null;
}

/** The modules that are imported dynamically, and themselves import the module. */
function partsWith(module: string, graph: Graph): string[] {
  const found = new Set([module]);
  for (const id of found) for (const importer of graph.getModuleInfo(id)?.importers ?? []) found.add(importer);
  return [...found].filter((id) => {
    const info = graph.getModuleInfo(id);
    return info?.isEntry || (info?.dynamicImporters.length ?? 0) > 0;
  });
}
