/** Errors that a caller is told. */
import { problemCodes, type ProblemCode } from './contract/problem.ts';

/** An error of a body (`pointer`: a JSON pointer, `/position/latitude`) or a query (`pointer`: `?bbox`). */
export interface FieldFault {
  pointer: string;
  code: string;
  detail: string;
}

/**
 * Thrown by whatever a request calls. `detail` replaces the default message of the code; `headers` are added to the response.
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
    super(options.detail ?? problemCodes[code][1], { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** The fields of a failed request in the log. Its query and headers may contain secrets. */
export interface FailedRequest {
  request_id: string;
  trace_id?: string | undefined;
  status: number;
  code: ProblemCode;
  method?: string;
  path?: string;
  user?: string | undefined;
  key_id?: string | undefined;
  /** The id of the device whose key it has. */
  device?: string | undefined;
  address?: string | undefined;
}

/** Receives every error: with its request, or without one for background work. */
export type Report = (error: unknown, request?: FailedRequest) => void;
