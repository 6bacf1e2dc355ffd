/** Errors as responses. RFC 9457, https://www.rfc-editor.org/rfc/rfc9457. */
import type { Context } from 'hono';
import { problemCodes, type Problem as ProblemBody, type ProblemCode } from '../contract/problem.ts';
import { Problem, type Report } from '../problem.ts';
import { bindingsOf, type RequestBindings } from './request-bindings.ts';
import { traceIdOf } from './traceparent.ts';

function statusOf(code: ProblemCode): number {
  return problemCodes[code][0];
}

function problemBody(problem: Problem, requestId: string): ProblemBody {
  const [status, title] = problemCodes[problem.code];
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

/** `caller`: whom the key of the request identifies, if it is known yet. */
interface FailedBindings extends Partial<RequestBindings> {
  requestId: () => string;
  caller?: { userId: string; keyId: string; resourceId?: string };
}

interface Failure {
  error: unknown;
  /** Undefined if the data was not an HTTP request. */
  request?: (Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get'> }) | undefined;
  bindings: FailedBindings;
  report: Report;
  /** How a client can authenticate, for a 401. */
  challenge?: string | undefined;
}

/** A thread is started again at once, and a database server in seconds. */
const awayForSeconds = '2';

export interface ProblemInit {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The response to a thrown error, which is also reported. Errors other than Problem expose no details. */
export function problemResponse(failure: Failure): Response {
  const { body, ...init } = problemInit(failure);
  return new Response(body, init);
}

/** Reports a failure, and returns status, headers and body for a response that is written directly. */
export function problemInit(failure: Failure): ProblemInit {
  const problem = reportFailure(failure);
  const status = statusOf(problem.code);
  return {
    status,
    headers: {
      ...(status === 503 && { 'retry-after': awayForSeconds }),
      ...(status === 401 && failure.challenge !== undefined && { 'www-authenticate': failure.challenge }),
      ...problem.headers,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    },
    body: JSON.stringify(problemBody(problem, failure.bindings.requestId())),
  };
}

/** Reports a failure after the response has started. */
export function reportFailure({ error, request, bindings, report }: Failure): Problem {
  const problem = asProblem(error);
  const { code } = problem;
  const { outgoing, caller, clientAddress } = bindings;
  if (outgoing) outgoing.code = code;
  report(error, {
    request_id: bindings.requestId(),
    trace_id: traceIdOf(request?.headers.get('traceparent')),
    status: statusOf(code),
    code,
    ...(request && { method: request.method, path: pathOf(request.url) }),
    user: outgoing?.user ?? caller?.userId,
    key_id: outgoing?.keyId ?? caller?.keyId,
    device: caller?.resourceId,
    address: clientAddress?.(),
  });
  return problem;
}

/** The problem that a caller gets for an error. */
export function asProblem(error: unknown): Problem {
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
