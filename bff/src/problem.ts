/**
 * Every error this server answers with: a code is thrown, its status and sentence are looked up here.
 * A leaf. RFC 9457, https://www.rfc-editor.org/rfc/rfc9457.
 */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Problem as ProblemBody } from './contract.ts';

const codes = {
  'account.confirmation_wrong': [400, 'The user name and password typed do not confirm this'],
  'body.invalid': [400, 'The body is not what this endpoint takes'],
  'body.not_json': [415, 'The body must be JSON, sent as application/json'],
  'body.too_large': [413, 'The body is larger than 64 KiB'],
  'body.unreadable': [400, 'The body is not JSON this service reads'],
  'events.too_many': [409, 'This user has as many event streams open as allowed'],
  'idempotency.in_flight': [409, 'A request with this Idempotency-Key is still being answered'],
  'idempotency.key_invalid': [400, 'Idempotency-Key takes 1 to 255 visible ASCII characters'],
  'idempotency.other_body': [400, 'This Idempotency-Key was used with another body'],
  'invitation.already_answered': [409, 'This invitation has been answered'],
  'invitation.not_found': [404, 'There is nothing here that you may see'],
  'invitation.too_many': [409, 'This account has sent as many open invitations as allowed'],
  'key.invalid': [401, 'The API key is missing or not valid'],
  'key.not_found': [404, 'There is no such key'],
  'key.throttled': [429, 'Too many requests with keys that are not valid'],
  'key.too_many': [409, 'This account has as many API keys as allowed'],
  'membership.cannot_widen': [403, 'This role may be narrowed here, not widened'],
  'membership.exists': [409, 'The resource has that role in this swarm already'],
  'membership.not_found': [404, 'There is nothing here that you may see'],
  'membership.too_many': [409, 'This swarm has as many members as allowed'],
  'origin.refused': [403, 'Writes are taken from pages of this site only'],
  'password.too_weak': [400, 'A password has 8 to 128 characters'],
  'password.wrong': [400, 'The current password is not right'],
  'query.invalid': [400, 'A query parameter is not what this endpoint takes'],
  'rate.exceeded': [429, 'Too many requests'],
  'request.aborted': [400, 'The client closed the connection before the response'],
  'request.head_too_large': [431, 'The head of the request is larger than 16 KiB'],
  'request.method_override': [400, 'X-HTTP-Method-Override is not supported: send the method itself'],
  'request.too_slow': [408, 'The request did not come to its end in time'],
  'request.unreadable': [400, 'This is no request that can be read'],
  'resource.changed': [412, 'The resource was changed meanwhile'],
  'resource.forbidden': [403, 'You may see this resource but not do this'],
  'resource.not_found': [404, 'There is nothing here that you may see'],
  'resource.too_many': [409, 'This account has as many resources as allowed'],
  'route.method_not_allowed': [405, 'This path does not take that method'],
  'route.not_found': [404, 'There is nothing here that you may see'],
  'saved_view.name_taken': [409, 'A view of yours has this name already'],
  'saved_view.not_found': [404, 'There is no such view'],
  'saved_view.too_many': [409, 'This account has as many saved views as allowed'],
  'server.failed': [500, 'Something went wrong here'],
  'service.away': [503, 'The service cannot answer right now'],
  'session.missing': [401, 'You are not signed in'],
  'session.not_found': [404, 'There is no such session'],
  'sign_in.insecure_origin': [403, 'Browsers keep no sign-in on plain http here: use https, or http://localhost'],
  'sign_in.wrong_password': [401, 'The user name or the password is not right'],
  'sign_up.closed': [403, 'New accounts are closed on this server'],
  'sign_up.name_invalid': [400, 'A user name has 3 to 32 of a-z, 0-9, _ and -'],
  'sign_up.name_taken': [409, 'This user name is not free'],
  'storage.away': [503, 'The store cannot take or give this right now'],
  'storage.full': [507, 'The disk is full: nothing was stored'],
  'swarm.changed': [412, 'The swarm was changed meanwhile'],
  'swarm.forbidden': [403, 'You may see this swarm but not do this'],
  'swarm.not_found': [404, 'There is nothing here that you may see'],
  'swarm.too_many': [409, 'This account has as many swarms as allowed'],
  'tile.away': [503, 'The tile server does not give this tile right now'],
  'tile.not_found': [404, 'There is no such tile'],
  'user.not_found': [404, 'There is no such user'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;

export type ProblemCode = keyof typeof codes;

/** One fault in a body (`pointer`: a JSON pointer, `/position/latitude`) or a query (`pointer`: `?bbox`). */
export interface FieldFault {
  pointer: string;
  code: string;
  detail: string;
}

/**
 * Thrown anywhere on the way to an answer. `detail` replaces the code's own sentence; `headers` go with it. `cause` is
 * for the log alone.
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

/** What the log says of a failed request. Its query and headers may hold secrets. */
export interface FailedRequest {
  request_id: string;
  status: number;
  code: ProblemCode;
  method?: string;
  path?: string;
}

/** Gets every error: with the request that failed because of it, or alone if no request waits for the work. */
export type Report = (error: unknown, request?: FailedRequest) => void;

interface Failure {
  error: unknown;
  requestId: string;
  /** Undefined: what came was no request. */
  request?: Pick<Request, 'method' | 'url'> | undefined;
  report: Report;
}

/** The answer to a thrown error, which `report` gets. What is not a Problem shows nothing of its inside. */
export function answerProblem(failure: Failure): Response {
  const problem = reportFailure(failure);
  return new Response(JSON.stringify(problemBody(problem, failure.requestId)), {
    status: statusOf(problem.code),
    headers: { ...problem.headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}

/** For a failure that cannot be answered any more, because the response has begun. */
export function reportFailure({ error, requestId, request, report }: Failure): Problem {
  const problem = asProblem(error);
  const { code } = problem;
  const asked = request && { method: request.method, path: pathOf(request.url) };
  report(error, { request_id: requestId, status: statusOf(code), code, ...asked });
  return problem;
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const kind = (error as { kind?: unknown } | null)?.kind;
  return new Problem(kind === 'full' ? 'storage.full' : kind === 'away' ? 'storage.away' : 'server.failed');
}

/** `Host` is whatever was sent, and not all of that makes a URL. */
function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, '').replace(/[?#].*/s, '');
}

/** `onError` of every Hono app here; the request id was set by the outermost one. */
export function onError(report: Report) {
  return (error: Error, c: Context) => answerProblem({ error, requestId: requestIdOf(c), request: c.req.raw, report });
}

export function requestIdOf(c: Context): string {
  return (c.env as { requestId?: () => string } | undefined)?.requestId?.() ?? '';
}

/** What no route of an app took: 405 where the path has other methods, else 404. */
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
