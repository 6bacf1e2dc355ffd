/** The capabilities of this server. Each is a folder, which can be deleted with its line here and in `capabilities.contract.ts`. */
/** Email addresses of users: a link for a lost password, and a word about each change of the sign-in. */
export { addresses } from './capabilities/addresses/capability.ts';
/** The codes of an app as a second step of the sign-in. */
export { authenticatorApp } from './capabilities/authenticator-app/capability.ts';
/** Devices to try the app with. */
export { demo } from './capabilities/demo/capability.ts';
/** Devices are read from files. */
export { deviceFiles } from './capabilities/device-files/capability.ts';
/** A device or a swarm gets another owner. */
export { handovers } from './capabilities/handovers/capability.ts';
/** Links by which users join a swarm. */
export { joinLinks } from './capabilities/join-links/capability.ts';
/** Users ask to join a public swarm. */
export { joinRequests } from './capabilities/join-requests/capability.ts';
/** Users manage or watch a swarm for its owner. */
export { managers } from './capabilities/managers/capability.ts';
/** The metrics of the server for Prometheus. */
export { metrics } from './capabilities/metrics/capability.ts';
/** The same messages for devices that speak MQTT. */
export { mqtt } from './capabilities/mqtt/capability.ts';
/** Users are told by a webhook, and by notifications of their browsers. */
export { notices } from './capabilities/notices/capability.ts';
/** Phones report their positions with the app OwnTracks. */
export { owntracks } from './capabilities/owntracks/capability.ts';
/** Users sign in, and confirm their identity, with a finger, a face or a PIN (WebAuthn). */
export { passkeys } from './capabilities/passkeys/capability.ts';
/** Users sign in with an account that they have elsewhere (OpenID Connect). */
export { providers } from './capabilities/providers/capability.ts';
/** Codes for a lost password, or a lost second factor. */
export { recovery } from './capabilities/recovery/capability.ts';
/** Filters and views of the map that a user keeps under a name. */
export { savedViews } from './capabilities/saved-views/capability.ts';
/** The streets of the map, of a tile server or a file. */
export { tiles } from './capabilities/tiles/capability.ts';
