/** https://www.w3.org/TR/trace-context/#traceparent-header, of version 00. */
const format = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header to pass on; undefined if it is not valid. */
export function validTraceparent(header: string | null | undefined): string | undefined {
  return header && format.test(header) ? header : undefined;
}

/** The id of the trace, for log lines; undefined if the header is not valid. */
export function traceIdOf(header: string | null | undefined): string | undefined {
  return header ? format.exec(header)?.[1] : undefined;
}
