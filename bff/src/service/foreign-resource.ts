import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

/** A resource of somebody else, or none at all: which of both is not told. */
export const notYours = (pointer: string): FieldFault => ({
  pointer,
  code: 'resource.not_yours',
  detail: 'is not one of your resources',
});

export function foreignResource(pointer: string): Problem {
  return new Problem('body.invalid', { errors: [notYours(pointer)] });
}
