import type { Problem } from '@swarmdeck/bff/contract';
import { formatDuration, problemSentence, t } from '../text/text.ts';
import { serverNow } from './server-clock.ts';
import { isFromServer } from './server-response.ts';

/** The server answered with a problem. `retryAfter` is in seconds, as in the response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly retryAfter: number | null;

  constructor({ problem, retryAfter = null }: { problem: Problem; retryAfter?: number | null }) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get code(): string {
    return this.problem.code;
  }

  /** The message for one field of the body, by its JSON pointer: `/name`, `/position/latitude`. */
  field(pointer: string): string | undefined {
    return this.problem.errors?.find((error) => error.pointer === pointer)?.detail;
  }
}

interface ProblemOptions {
  response: Response;
  text: string;
  isWrite?: boolean;
}

/** What a proxy refuses itself, by its status: the server would never be sent it. */
const refusedByProxies: ReadonlySet<number> = new Set([413, 414, 429, 431]);

/** The error of a failed response, or of one that the server did not write, such as the page of a proxy. */
export function problemOf({ response, text, isWrite = false }: ProblemOptions): ProblemError | OfflineError {
  const { status, headers } = response;
  if (!isFromServer(response) && !refusedByProxies.has(status)) {
    // A proxy may have lost the response of the server, or a network has put its own page in place of it.
    const isUnknown = isWrite && (status < 400 || status >= 500);
    // 511: a network asks for a sign-in (RFC 6585).
    const isOfNetwork = status < 500 || status === 511;
    const isSignIn = response.type === 'opaqueredirect' || status === 401 || status === 511;
    const isPage = isSignIn || (headers.get('content-type')?.startsWith('text/html') === true && isOfNetwork);
    return new OfflineError(`A response of another server: ${status}`, { isUnknown, isPage, isSignIn });
  }
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const other = { type: 'about:blank', title: '', status, detail: '', code: `http.${status}`, request_id: '' };
  return new ProblemError({
    problem: isProblem ? (JSON.parse(text) as Problem) : other,
    retryAfter: seconds(headers.get('retry-after')),
  });
}

function seconds(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const parsed = Number(retryAfter);
  if (!Number.isNaN(parsed)) return parsed;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - serverNow()) / 1000));
}

/** The code of an error after which it is not known whether the server has executed the request. */
const noAnswer = 'service.no_answer';

/** The same for a secret that only the response has: another try replaces it. */
const notShown = 'service.not_shown';

/** The same for a request that may be sent again: the server executes it once. */
const doneOnce = 'service.done_once';

interface OfflineOptions {
  isUnknown?: boolean;
  isPage?: boolean;
  isSignIn?: boolean;
  code?: OfflineCode;
}

/** There was no response of the server: no network, no server, or something else has answered. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
  readonly code: OfflineCode;
  /** A page was answered, as a network does in which the user has to sign in first. */
  readonly isPage: boolean;
  /** A sign-in was asked for, or the request sent elsewhere, which is where one is. */
  readonly isSignIn: boolean;

  constructor(message?: string, { isUnknown = false, isPage = false, isSignIn = false, code }: OfflineOptions = {}) {
    super(message);
    this.isPage = isPage;
    this.isSignIn = isSignIn;
    this.code = code ?? (isUnknown ? noAnswer : 'service.unreachable');
  }
}

/** The last two: it could not wait in this browser either, because the browser has no more room, or too much waits. */
type OfflineCode =
  | 'service.unreachable'
  | typeof noAnswer
  | typeof notShown
  | typeof doneOnce
  | 'outbox.no_room'
  | 'outbox.full';

/** Whether a write may have been executed, although its response was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  return [noAnswer, notShown, doneOnce].includes(errorParts(error).code);
}

const withCode = (code: OfflineCode) => (error: unknown) =>
  isOutcomeUnknown(error) ? new OfflineError((error as Error).message, { code }) : error;

/** The error of a request whose response has a secret. */
export const notShownIfUnknown = withCode(notShown);

/** The error of a request that has a key of its own. */
export const doneOnceIfUnknown = withCode(doneOnce);

/** The server cannot be reached: sending the same again later may help. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return error instanceof ProblemError && [502, 503, 504].includes(error.problem.status);
}

/** A timeout, too early, too many requests. */
const laterStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** The request was only put off: sending the same again later may help. */
export function isPutOff(error: unknown): boolean {
  if (isUnreachable(error)) return true;
  return error instanceof ProblemError && (laterStatuses.has(error.problem.status) || error.retryAfter !== null);
}

/** Another server has answered with a page: in this network, the user may have to sign in first. */
export const isOtherPage = (error: unknown): boolean => error instanceof OfflineError && error.isPage;

/** Something before the server asks for a sign-in of its own. */
export const asksForSignIn = (error: unknown): boolean => error instanceof OfflineError && error.isSignIn;

/** It does not exist any more, or is not visible to the user. */
export function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 404;
}

/** It does not exist any more, or the user may not see it. */
export function isDenied(error: unknown): boolean {
  return isGone(error) || (error instanceof ProblemError && error.problem.status === 403);
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'session.missing';
}

export function needsConfirmation(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'session.confirm';
}

export function errorParts(error: unknown): { code: string; detail?: string; errors?: Problem['errors'] } {
  if (error instanceof ProblemError) {
    const { code, detail, errors } = error.problem;
    return { code, detail, ...(errors && { errors }) };
  }
  return { code: error instanceof OfflineError ? error.code : '' };
}

/** The text for an error: what happened, and what to do. */
export function errorSentence(error: unknown): string {
  if (error instanceof ProblemError && ['rate.exceeded', 'http.429'].includes(error.code)) {
    const minutes = Math.ceil((error.retryAfter ?? 0) / 60);
    if (minutes > 1) return t.shell.too_many_until(formatDuration({ count: minutes, unit: 'minute' }));
  }
  return problemSentence(errorParts(error));
}
