import type { Problem } from '@swarmdeck/bff/contract';
import { problemSentence } from '../text/text.ts';

/** The server answered with a problem. `retryAfter` is in seconds, as the server asked for it. */
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

/** There was no response: no network, or no server. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
  readonly code = 'service.unreachable';
}

/** The server cannot be reached: sending the same again later may help. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return error instanceof ProblemError && [502, 503, 504].includes(error.problem.status);
}

/** It does not exist any more, or is not visible to the user. */
export function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 404;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'session.missing';
}

export function errorParts(error: unknown): { code: string; detail?: string } {
  if (error instanceof ProblemError) return { code: error.code, detail: error.problem.detail };
  return { code: error instanceof OfflineError ? error.code : '' };
}

/** The text for an error: what happened, and what to do. */
export function errorSentence(error: unknown): string {
  return problemSentence(errorParts(error));
}
