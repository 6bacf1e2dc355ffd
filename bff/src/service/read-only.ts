import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../problem.ts';
import type { FieldFault } from '../problem.ts';

/**
 * Programs read, change and put back: what a PUT does not change may come along as it is stored. `but` names what
 * it changes. Throws `body.invalid`.
 */
export function refuseReadOnly<Body extends object>({
  body,
  stored,
  but,
}: {
  body: Body;
  stored: object;
  but: readonly (keyof Body & string)[];
}): void {
  const kept: Record<string, unknown> = { ...stored };
  const errors: FieldFault[] = Object.entries(body)
    .filter(([field, value]) => !(but as readonly string[]).includes(field) && !isDeepStrictEqual(value, kept[field]))
    .map(([field]) => ({
      pointer: `/${field}`,
      code: 'field.read_only',
      detail: 'is set by the service and differs from what is stored',
    }));
  if (errors.length > 0) throw new Problem('body.invalid', { errors });
}
