import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

interface Sent {
  body: object;
  stored: object;
  /** What the service sets. */
  fields: readonly string[];
}

/** Programs read, change and put back: what a PUT does not change may come along as it is stored. */
export function readOnlyFaults({ body, stored, fields }: Sent): FieldFault[] {
  const sent = body as Record<string, unknown>;
  const kept = stored as Record<string, unknown>;
  return fields
    .filter((field) => sent[field] !== undefined && !isDeepStrictEqual(sent[field], kept[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from the stored value',
    }));
}

/** Throws `body.invalid`. */
export function refuseReadOnly(sent: Sent): void {
  const errors = readOnlyFaults(sent);
  if (errors.length > 0) throw new Problem('body.invalid', { errors });
}
