/**
 * The wire format: every type that is sent over HTTP, with the names of the spec. The service's are zod schemas
 * (`*.schema.ts`), which validate input and generate `/service/openapi.json`. Those of the screens (`web-api.ts`) are
 * only types. All modules, the web app and the end-to-end tests import this file; the last two import only types, so
 * that zod is not in the browser. Imports only the limits.
 */
export { attempt, consentEnd, expires, reportedTime } from './contract/fields.schema.ts';
export * from './contract/resources.schema.ts';
export * from './contract/tracks.schema.ts';
export * from './contract/values.schema.ts';
export * from './contract/presence.schema.ts';
export * from './contract/swarms.schema.ts';
export * from './contract/audience.schema.ts';
export * from './contract/invitations.schema.ts';
export * from './contract/join-links.schema.ts';
export * from './contract/share-links.schema.ts';
export * from './contract/directory.schema.ts';
export * from './contract/managers.schema.ts';
export * from './contract/handovers.schema.ts';
export * from './contract/join-requests.schema.ts';
export * from './contract/messages.schema.ts';
export * from './contract/owntracks.schema.ts';
export * from './contract/events.schema.ts';
export * from './contract/activity.schema.ts';
export * from './contract/problem.ts';

export type * from './contract/actions.ts';
export type * from './contract/web-api.ts';
export type * from './capabilities.contract.ts';
