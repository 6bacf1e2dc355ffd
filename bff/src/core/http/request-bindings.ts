import type { ServerResponse } from 'node:http';
import type { Context, Next } from 'hono';
import type { RecordedField } from '../../contract.ts';
import type { Slots } from '../limits/slots.ts';
import type { SentBody } from '../sent-body.ts';
import type { Pacing } from './pacing.ts';

/** How a request has arrived. */
export interface RequestBindings {
  requestId: () => string;
  clientAddress: () => string;
  /** Undefined if it did not come by HTTP. */
  outgoing: NotedResponse | undefined;
}

/** The bindings of routes: also of a request whose right may end while it is answered. */
export interface CheckedBindings extends RequestBindings {
  /** Throws if the session or the key has ended since the request was accepted. `nothingToCheck` if the routes need neither. */
  recheckAccess: () => Promise<void> | void;
}

export const nothingToCheck = (): void => {};

/** The session for which the gateway attaches the API key of its user. The service then ignores a key in the header. */
export interface AttachedSession extends Pick<CheckedBindings, 'recheckAccess'> {
  id: string;
  apiKey: string;
  /** Throws if its user has not shown lately that it is them. */
  requireConfirmed: () => void;
  /** Called with what an edit of a resource has replaced, so that the user can put it back. */
  onEdited: (edited: EditedRecord) => Promise<void>;
}

/** A request to the service. Without a session, it has a key in its header. */
export interface ServiceBindings extends RequestBindings {
  session?: AttachedSession;
  /** What a device has left with the server for the case that it is lost: no sign of life. */
  isWill?: boolean;
  /** Reads the body, if it did not come by HTTP. */
  body?: (() => SentBody<unknown>) | undefined;
}

/** A record that a user has changed: fields with their new and their old values. `name`: after it. `begins`: what is recorded since then. */
export interface EditedRecord {
  id: string;
  name: string;
  begins: RecordedField[];
  after: object;
  before: object;
}

/** A response, on which modules note what metrics and request lines say about its request. */
export interface NotedResponse extends ServerResponse {
  /** The operation of the service. */
  operation?: string | undefined;
  /** For the path of the route, if it is not an operation of the service. */
  context?: Context | undefined;
  user?: string | undefined;
  keyId?: string | undefined;
  /** The id of the newest event when the request arrived, for the header `last-event-id`. */
  lastEventId?: string | undefined;
  /** The code of the problem. */
  code?: string | undefined;
  bindings?: RequestBindings | undefined;
  /** Headers for pages of other origins. */
  crossOrigin?: Readonly<Record<string, string>> | undefined;
  /** Counts its body until it has arrived. */
  arriving?: Slots;
  /** Undefined: it is never paced. */
  pacing?: Pacing | undefined;
  /** Tells a client that waits to send the body. A request that is refused before gets only its refusal. */
  askForBody(): void;
  /** Its bytes are not counted with those of other responses. */
  isEventStream?: boolean;
  /** Whether its client may be sent more: it has read enough of what it was sent. */
  hasRoom(more?: number): boolean;
  /** Makes a chunk of the response when there is room for it, and counts it. @throws `request.aborted` if the client has gone */
  makeChunk<Chunk extends { length: number }>(make: () => Promise<Chunk>): Promise<Chunk>;
}

/** A request whose response begins, for metrics and request lines. */
export interface AnsweredRequest {
  method: string;
  operation: string;
  status: number;
  /** Until the first byte of the response. */
  ms: number;
  /** The length of the body, if it is known. */
  bytes: number | undefined;
  code: string | undefined;
  user: string | undefined;
  keyId: string | undefined;
  traceId: string | undefined;
  requestId: () => string;
  address: () => string;
}

export const bindingsOf = (c: Context): CheckedBindings => c.env as CheckedBindings;

/** Notes the route of a request, in an app with routes that are not operations of the service. */
export function noteRoute(c: Context, next: Next): Promise<void> {
  const { outgoing } = bindingsOf(c);
  if (outgoing) outgoing.context = c;
  return next();
}

/** What a browser says of itself. */
export const userAgentOf = (c: Context): string => (c.req.header('user-agent') ?? '').slice(0, 512);
