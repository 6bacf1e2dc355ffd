/** The capabilities of this server. Each is a folder, which can be deleted with its line here and in `capabilities.contract.ts`. */
/** Phones report their positions with the app OwnTracks. */
export { owntracks } from './capabilities/owntracks/capability.ts';
/** Filters and views of the map that a user keeps under a name. */
export { savedViews } from './capabilities/saved-views/capability.ts';
/** The streets of the map, of a tile server or a file. */
export { tiles } from './capabilities/tiles/capability.ts';
