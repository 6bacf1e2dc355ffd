/**
 * What one request may send, and where the server does the work that grows with a user's data: never on the main thread.
 * The server does not start with an endpoint that has no row. operation-limits.test.ts walks all of them, so one that reads more
 * fails.
 *
 * To add an endpoint, add a row to `operationLimits`, or to `limits` in the `contract.ts` of its capability. Its name is the operation of
 * the service (`getResource`), or else the method and the route (`GET /api/actions`), as in the metrics. `npm run limits-page` writes
 * it into deploy/LIMITS.md.
 */
import { withCapabilities } from '../collect.ts';
import { limits } from './field-rules.ts';
import {
  inChunks,
  inIndex,
  inReader,
  listInReader,
  ofPassword,
  point,
  write,
  written,
  type BodyLimits,
  type OperationLimits,
} from './operation-rows.ts';

/** The bytes of a user's bodies that have not arrived completely; before sign-in, of an address. */
export const mostArrivingBytes = 16 * 1024 * 1024;
/**
 * In bytes: what this process holds of responses that their clients have not read. `address`: of all users of a client address,
 * and of requests without a user. Beyond it, a user still has `share`, so that a neighbour cannot take everything. `part`: what a
 * part of a streamed list may need before its length is known. `waiting`: what a pipelined request needs until it is answered.
 */
export const unsentLimits = {
  user: 8 * 1024 * 1024,
  address: 64 * 1024 * 1024,
  share: 512 * 1024,
  part: 2 * 1024 * 1024,
  waiting: 3 * 1024,
} as const;
/** Indexes of the devices that a user views, of which each is compared with all commits. One more drops the oldest that no stream watches. */
export const viewedIndexes = 50;
/**
 * Connections by HTTP to one process. One more closes an idle one, of the address or of the address that has most; if all are
 * answered, the new one. A trusted proxy may have all. `unparsedBytes`: of all connections of an
 * address that are read one request at a time, except those of a trusted proxy.
 */
export const connectionLimits = { all: 24_000, ofAddress: 12_000, unparsedBytes: 64 * 1024 * 1024 } as const;
/**
 * A connection gets one 429, or one response without a user beyond their rate, in `eachMs`. The next ones wait, because a refusal
 * costs as much as a small answer. `atOnce`: so many of those that have waited are sent in a tick of the event loop; with the next requests of
 * their connections, they take about a millisecond.
 */
export const pacedLimits = { eachMs: 1000, atOnce: 4 } as const;
/**
 * When so many pipelined requests of a connection wait, or more than its address may have, all connections of the address are read one request
 * at a time for `forMs`.
 */
export const pipelineLimits = { waiting: 16, forMs: 60_000 } as const;
/** A body counts as one request for each started part of this size. */
export const bytesOfRequest = limits.bodyBytes;
/** The number of requests that a body counts as, besides its own. */
export const moreRequestsOf = (bytes: number): number => Math.max(0, Math.ceil(bytes / bytesOfRequest) - 1);

export const operationLimits = withCapabilities('limits', {
  createResource: written,
  listResources: listInReader,
  exportResources: listInReader,
  getResource: point,
  updateResource: written,
  destroyResource: write,
  listSwarmsOfResource: listInReader,
  getRefusals: point,

  createSwarm: written,
  listSwarms: listInReader,
  listDirectory: inReader,
  getSwarm: listInReader,
  updateSwarm: written,
  destroySwarm: write,
  getSilenceNotices: point,
  setSilenceNotices: written,
  addMember: written,
  listMembers: listInReader,
  updateMember: written,
  removeMember: write,

  sendInvitation: written,
  listSentInvitations: inChunks,
  withdrawInvitation: write,
  answerInvitation: written,
  listInvitationsOfResource: inChunks,
  listInvitations: inChunks,

  streamEvents: { ...point, isStreamed: true },
  listActivity: inReader,
  markActivityRead: written,

  'GET /auth/options': point,
  'POST /auth/sign-up': ofPassword,
  'POST /auth/sign-up/email': ofPassword,
  'POST /auth/sign-in/username': ofPassword,
  'POST /auth/sign-out': written,
  'POST /auth/change-password': ofPassword,
  'GET /auth/confirm': point,
  'POST /auth/confirm': ofPassword,

  'GET /api/account': inReader,
  'DELETE /api/account': written,
  'GET /api/account/keys': inReader,
  'POST /api/account/keys': written,
  'DELETE /api/account/keys/:id': write,
  // The result of the write has one row for each device.
  'POST /api/devices/keys': { ...written, rows: limits.membersAtOnce },
  'GET /api/devices/:id/keys': point,
  'POST /api/devices/:id/keys': written,
  'DELETE /api/devices/:id/keys/:key': write,
  'GET /api/account/sessions': { ...point, rows: 100 },
  'DELETE /api/account/sessions': write,
  'DELETE /api/account/sessions/:id': write,
  'GET /api/events': { ...point, isStreamed: true },

  'GET /api/devices': inIndex,
  'GET /api/devices/by-id': inReader,
  'GET /api/devices/:id': inReader,
  'GET /api/swarms/:swarm_id/members': inIndex,
  'GET /api/values/keys': inReader,
  'GET /api/map': inIndex,
  'GET /api/wall': inIndex,
  'GET /api/inbox': inReader,
  'GET /api/inbox/count': inReader,
  'GET /api/inbox/summary': inReader,
  'GET /api/inbox/:invitation_id': inReader,
  'GET /api/swarms/:swarm_id/board': inReader,
  'GET /api/swarms/:swarm_id/overview': inReader,
  'GET /api/swarms/:swarm_id/flow': inReader,
  'GET /api/swarm-list': inReader,
} as const satisfies Record<string, OperationLimits>);

/** @throws Error for an endpoint without a row: it must not be served */
export function limitsOf(operation: string): OperationLimits {
  const found = (operationLimits as Record<string, OperationLimits>)[operation];
  if (!found)
    throw new Error(`${operation} has no row in limits/operation-limits.ts, or in the contract.ts of its capability`);
  return found;
}

/** @throws Error for an endpoint whose row allows no body */
export function bodyLimitsOf(operation: string): BodyLimits {
  const { body } = limitsOf(operation);
  if (!body) throw new Error(`The row of ${operation} in limits/operation-limits.ts allows no body`);
  return body;
}
