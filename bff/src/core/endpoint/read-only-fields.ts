import { isDeepStrictEqual } from 'node:util';
import { invitation as invitationSchema } from '../../contract.ts';
import type { SentBody } from '../sent-body.ts';
import type { FieldFault } from '../problem.ts';

/** The fields that the service sets. */
const readOnlyOf = {
  resource: ['id', 'user_id', 'created_at', 'modified_at'],
  swarm: ['id', 'user_id', 'created_at', 'modified_at', 'resources'],
  member: ['resource_id', 'user_id', 'url', 'member_since', 'ends_at_most'],
  invitation: Object.keys(invitationSchema.shape).filter((field) => field !== 'status' && field !== 'ends_at'),
};

/**
 * Read-only fields of a PUT are accepted if they equal the stored ones, so that clients can read, change and put back a
 * record.
 */
export function readOnlyFaults(
  noun: keyof typeof readOnlyOf,
  { fields }: SentBody<unknown>,
  stored: object,
): FieldFault[] {
  const storedFields = stored as Record<string, unknown>;
  return readOnlyOf[noun]
    .filter((name) => fields[name] !== undefined && !isDeepStrictEqual(fields[name], storedFields[name]))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from the stored value',
    }));
}
