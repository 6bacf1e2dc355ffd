/**
 * The wire: every shape that crosses HTTP, with the names the spec gives them. What the service speaks are zod schemas
 * (`*.schema.ts`), which check what comes in and describe themselves at `/service/openapi.json`; what screens ask and
 * are answered (`*.view.ts`) are types alone.
 * This is the one way in, for the rooms as for the web app and the journeys, and these two import types only, so that
 * no zod reaches a browser. All of it is a leaf: it imports nothing of ours but the limits.
 */
export { codePoints, limits, machineTypes, memberRoles } from './limits/limits.ts';

export * from './contract/resources.schema.ts';
export * from './contract/swarms.schema.ts';
export * from './contract/invitations.schema.ts';
export * from './contract/events.schema.ts';
export * from './contract/problem.schema.ts';

export type * from './contract/devices.view.ts';
export type * from './contract/map.view.ts';
export type * from './contract/wall.view.ts';
export type * from './contract/invitations.view.ts';
export type * from './contract/swarms.view.ts';
export type * from './contract/saved-views.view.ts';
export type * from './contract/demo.view.ts';
export type * from './contract/account.view.ts';
