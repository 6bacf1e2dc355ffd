/**
 * All errors that this server responds with: code that throws a Problem names its code, and this file maps it to status
 * and message. RFC 9457, https://www.rfc-editor.org/rfc/rfc9457.
 */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Problem as ProblemBody } from '../contract.ts';
import { bindingsOf, type RequestBindings } from './request-bindings.ts';
import { traceIdOf } from './traceparent.ts';

/** Status and title of each code. */
export const codes = {
  'action.changed_since': [409, 'The record was changed after the action'],
  'action.count_changed': [409, 'The number of matching records has changed'],
  'action.kind_unknown': [409, 'This version of the server does not know this kind of action'],
  'action.not_found': [404, 'Action not found'],
  'action.parts_missing': [409, 'Some parts of the action have not been uploaded'],
  'action.state': [409, 'The state of the action does not allow this'],
  'action.too_many': [409, 'This account has reached the limit of actions that have not ended'],
  'action.too_many_items': [409, 'This account has reached the limit of items in actions'],
  'account.confirmation_wrong': [400, 'Incorrect user name or password'],
  'body.encoded': [415, 'Compressed request bodies are not supported'],
  'body.invalid': [400, 'Invalid request body'],
  'body.not_json': [415, 'The content type must be application/json'],
  'body.too_large': [413, 'The request body is larger than 64 KiB'],
  'body.unreadable': [400, 'The request body is not valid JSON'],
  'events.too_many': [409, 'The limit of open streams is reached'],
  'handover.no_manager': [409, 'Only a manager of the swarm can take it over'],
  'handover.not_found': [404, 'This swarm is not offered'],
  'idempotency.in_flight': [409, 'Another request with this Idempotency-Key is still being processed'],
  'idempotency.key_invalid': [400, 'An Idempotency-Key must have 1 to 255 visible ASCII characters'],
  'idempotency.other_body': [400, 'This Idempotency-Key was already used with a different request body'],
  'invitation.already_answered': [409, 'This invitation has already been answered'],
  'invitation.not_found': [404, 'Not found, or you do not have access'],
  'invitation.too_many': [409, 'This account has reached the limit of open invitations'],
  'join_request.already_answered': [409, 'This request has already been answered'],
  'join_request.exists': [409, 'The resource has an open request to join this swarm'],
  'join_request.not_accepted': [409, 'This swarm does not accept requests to join'],
  'join_request.not_found': [404, 'Not found, or you do not have access'],
  'join_request.too_many': [409, 'The limit of requests to join is reached'],
  'join_request.too_soon': [409, 'A request for this resource was rejected less than a day ago'],
  'key.invalid': [401, 'Missing or invalid API key'],
  'key.not_allowed': [403, 'The key of a device is only for its own messages and its own record'],
  'key.not_found': [404, 'API key not found'],
  'key.throttled': [429, 'Too many requests with invalid API keys'],
  'key.too_many': [409, 'This account has reached the limit of API keys'],
  'link.not_found': [404, 'Not found, or it can no longer be used'],
  'link.own_swarm': [409, 'You own this swarm. Add your resources to it directly'],
  'link.too_many': [409, 'This swarm has reached the limit of links that have not ended'],
  'manager.exists': [409, 'This user is a manager of the swarm already'],
  'manager.not_found': [404, 'Not found, or you do not have access'],
  'manager.own_swarm': [409, 'You own this swarm'],
  'manager.too_many': [409, 'This swarm has reached the limit of managers'],
  'manager.too_many_unanswered': [409, 'This user has not answered your earlier requests to manage swarms'],
  'membership.cannot_widen': [403, 'A role can only be reduced. To add a role, send an invitation'],
  'membership.exists': [409, 'The resource already has this role in the swarm'],
  'membership.not_found': [404, 'Not found, or you do not have access'],
  'membership.too_many': [409, 'This swarm has reached the limit of members'],
  'message.not_producer': [403, 'The resource may not send to this swarm'],
  'operator.required': [403, 'Only an operator may do this'],
  'origin.refused': [403, 'Cross-origin writes are not allowed'],
  'password_link.not_found': [404, 'This link has expired or was used before'],
  'password.too_weak': [400, 'A password must have 8 to 128 characters'],
  'password.wrong': [400, 'Incorrect current password'],
  'query.invalid': [400, 'Invalid query parameter'],
  'rate.exceeded': [429, 'Too many requests'],
  'request.aborted': [400, 'The client closed the connection before the response'],
  'request.head_too_large': [431, 'The request header is larger than 16 KiB'],
  'request.method_override': [400, 'Overriding the method is not supported. Send the request with that method instead'],
  'request.path_too_long': [414, 'The path is longer than 1,000 characters'],
  'request.too_slow': [408, 'The request was not completed in time'],
  'request.unreadable': [400, 'Malformed request'],
  'resource.changed': [412, 'The resource was changed in the meantime'],
  'resource.forbidden': [403, 'You do not have permission to perform this operation on the resource'],
  'resource.not_found': [404, 'Not found, or you do not have access'],
  'resource.too_many': [409, 'This account has reached the limit of resources'],
  'route.method_not_allowed': [405, 'Method not allowed for this path'],
  'route.not_found': [404, 'Not found, or you do not have access'],
  'saved_view.name_taken': [409, 'You already have a view with this name'],
  'saved_view.not_found': [404, 'View not found'],
  'webhook.not_found': [404, 'Webhook not found'],
  'saved_view.too_many': [409, 'This account has reached the limit of saved views'],
  'server.failed': [500, 'Internal server error'],
  'service.away': [503, 'The service is temporarily unavailable'],
  'session.missing': [401, 'You are not signed in'],
  'session.not_found': [404, 'Session not found'],
  'sign_in.insecure_origin': [
    403,
    'Browsers do not store the session cookie over plain HTTP. Use HTTPS or http://localhost',
  ],
  'sign_in.wrong_password': [401, 'Incorrect user name or password'],
  'sign_up.closed': [403, 'This server does not accept new accounts'],
  'sign_up.name_invalid': [400, 'A user name must have 3 to 32 characters: a-z, 0-9, _ and -'],
  'sign_up.name_taken': [409, 'This user name is taken'],
  'storage.away': [503, 'The storage is temporarily unavailable'],
  'storage.full': [507, 'The disk is full. Nothing was stored'],
  'swarm.changed': [412, 'The swarm was changed in the meantime'],
  'swarm.forbidden': [403, 'You do not have permission to perform this operation on the swarm'],
  'swarm.not_found': [404, 'Not found, or you do not have access'],
  'swarm.too_many': [409, 'This account has reached the limit of swarms'],
  'tile.away': [503, 'The tile server is temporarily unavailable'],
  'tile.not_found': [404, 'Tile not found'],
  'user.no_password': [409, 'The user is disabled, or has no password'],
  'user.not_found': [404, 'User not found'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;

export type ProblemCode = keyof typeof codes;

/** An error of a body (`pointer`: a JSON pointer, `/position/latitude`) or a query (`pointer`: `?bbox`). */
export interface FieldFault {
  pointer: string;
  code: string;
  detail: string;
}

/**
 * Thrown by request handlers. `detail` replaces the default message of the code; `headers` are added to the response.
 * `cause` is only logged.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldFault[] | undefined;
  readonly headers: Record<string, string>;
  constructor(
    code: ProblemCode,
    options: { detail?: string; errors?: FieldFault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.detail ?? codes[code][1], { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

function statusOf(code: ProblemCode): ContentfulStatusCode {
  return codes[code][0];
}

function problemBody(problem: Problem, requestId: string): ProblemBody {
  const [status, title] = codes[problem.code];
  return {
    type: `urn:swarmdeck:problem:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors && { errors: problem.errors }),
  };
}

/** The fields of a failed request in the log. Its query and headers may contain secrets. */
interface FailedRequest {
  request_id: string;
  trace_id?: string | undefined;
  status: number;
  code: ProblemCode;
  method?: string;
  path?: string;
  user?: string | undefined;
  key_id?: string | undefined;
  address?: string | undefined;
}

/** Receives every error: with its request, or without one for background work. */
export type Report = (error: unknown, request?: FailedRequest) => void;

interface Failure {
  error: unknown;
  /** Undefined if the data was not an HTTP request. */
  request?: Pick<Request, 'method' | 'url' | 'headers'> | undefined;
  bindings: RequestBindings;
  report: Report;
}

/** A thread is started again at once, and a database server in seconds. */
const awayForSeconds = '2';

/** The response to a thrown error, which is also reported. Errors other than Problem expose no details. */
export function problemResponse(failure: Failure): Response {
  const problem = reportFailure(failure);
  const status = statusOf(problem.code);
  return new Response(JSON.stringify(problemBody(problem, requestIdOf(failure.bindings))), {
    status,
    headers: {
      ...(status === 503 && { 'retry-after': awayForSeconds }),
      ...problem.headers,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    },
  });
}

/** Reports a failure after the response has started. */
export function reportFailure({ error, request, bindings, report }: Failure): Problem {
  const problem = asProblem(error);
  const { code } = problem;
  const { outgoing, clientAddress } = bindings;
  if (outgoing) outgoing.code = code;
  report(error, {
    request_id: requestIdOf(bindings),
    trace_id: traceIdOf(request?.headers.get('traceparent')),
    status: statusOf(code),
    code,
    ...(request && { method: request.method, path: pathOf(request.url) }),
    user: outgoing?.user,
    key_id: outgoing?.keyId,
    address: clientAddress?.(),
  });
  return problem;
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const kind = (error as { kind?: unknown } | null)?.kind;
  return new Problem(kind === 'full' ? 'storage.full' : kind === 'away' ? 'storage.away' : 'server.failed');
}

/** Parses the path only, because the `Host` may make the URL invalid. */
function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, '').replace(/[?#].*/s, '');
}

/** `onError` of every Hono app here. The outermost app has set the request id. */
export function onError(report: Report) {
  return (error: Error, c: Context) => problemResponse({ error, request: c.req.raw, bindings: bindingsOf(c), report });
}

const requestIdOf = ({ requestId }: RequestBindings): string => requestId?.() ?? '';

/** The error for a request without a route: 405 if the path has other methods, else 404. */
export function notRouted({ routes }: { routes: readonly { method: string; path: string }[] }, path: string): Problem {
  const methods = routes
    .filter(({ method, path: pattern }) => method !== 'ALL' && patternOf(pattern).test(path))
    .map(({ method }) => method);
  if (methods.length === 0) return new Problem('route.not_found');
  const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  return new Problem('route.method_not_allowed', { headers: { allow: allow.join(', ') } });
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
