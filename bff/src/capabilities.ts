/** The capabilities of this server. Each is a folder, which can be deleted with its line here and in `capabilities.contract.ts`. */
/** Devices to try the app with. */
export { demo } from './capabilities/demo/capability.ts';
/** Devices are read from files. */
export { deviceFiles } from './capabilities/device-files/capability.ts';
/** The metrics of the server for Prometheus. */
export { metrics } from './capabilities/metrics/capability.ts';
/** The same messages for devices that speak MQTT. */
export { mqtt } from './capabilities/mqtt/capability.ts';
/** Phones report their positions with the app OwnTracks. */
export { owntracks } from './capabilities/owntracks/capability.ts';
/** Filters and views of the map that a user keeps under a name. */
export { savedViews } from './capabilities/saved-views/capability.ts';
/** The streets of the map, of a tile server or a file. */
export { tiles } from './capabilities/tiles/capability.ts';
