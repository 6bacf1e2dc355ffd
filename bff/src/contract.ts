/**
 * The wire format: every type that is sent over HTTP, with the names of the spec. The service's are zod schemas
 * (`*.schema.ts`), which validate input and generate `/service/openapi.json`. Those of the screens are only types. All modules, the web app and the end-to-end tests import this file; the last two import only types, so
 * that zod is not in the browser. Imports only the limits.
 */
export { attempt, consentEnd, expires, reportedTime } from './core/contract/fields.schema.ts';
export * from './core/contract/resources.schema.ts';
export * from './core/contract/presence.schema.ts';
export * from './core/contract/swarms.schema.ts';
export * from './core/contract/invitations.schema.ts';
export * from './core/contract/directory.schema.ts';
export * from './core/contract/events.schema.ts';
export * from './core/contract/activity.schema.ts';
export * from './core/contract/problem.ts';

export type * from './core/contract/answers.ts';
export type * from './core/contract/web-api.ts';
export type * from './read-models/read-models.contract.ts';
export type * from './capabilities.contract.ts';
