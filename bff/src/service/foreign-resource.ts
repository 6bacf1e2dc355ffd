import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

/** The resource belongs to another user or does not exist. The response does not reveal which. */
export const notYours = (pointer: string): FieldFault => ({
  pointer,
  code: 'resource.not_yours',
  detail: 'is not one of your resources',
});

export function foreignResource(pointer: string): Problem {
  return new Problem('body.invalid', { errors: [notYours(pointer)] });
}
