import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../problem.ts';
import type { FieldFault } from '../problem.ts';

const readOnly = ['id', 'user_id', 'created_at', 'modified_at', 'resources'] as const;
type Record = { [field in (typeof readOnly)[number]]?: unknown };

/** Programs read, change and put back: read-only fields may come along as they are stored. Throws `body.invalid`. */
export function refuseReadOnly(body: Record, stored: Record): void {
  const errors: FieldFault[] = readOnly
    .filter((field) => body[field] !== undefined && !isDeepStrictEqual(body[field], stored[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from what is stored',
    }));
  if (errors.length > 0) throw new Problem('body.invalid', { errors });
}
