import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

interface Sent {
  body: object;
  stored: object;
  /** The fields that the service sets. */
  fields: readonly string[];
}

/**
 * Read-only fields of a PUT are accepted if they equal the stored ones, so that clients can read, change and put back a
 * record.
 */
export function readOnlyFaults({ body, stored, fields }: Sent): FieldFault[] {
  const sent = body as Record<string, unknown>;
  const storedFields = stored as Record<string, unknown>;
  return fields
    .filter((field) => sent[field] !== undefined && !isDeepStrictEqual(sent[field], storedFields[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from the stored value',
    }));
}

/** @throws `body.invalid` */
export function refuseReadOnly(sent: Sent): void {
  const errors = readOnlyFaults(sent);
  if (errors.length > 0) throw new Problem('body.invalid', { errors });
}
