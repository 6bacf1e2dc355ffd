/** The fields of a swarm: how they are merged and checked. The rules are the service's. Errors are codes. */
import type { Problem, SwarmItem } from '@swarmdeck/bff/contract';
import { createMerge } from '../../api/merge-fields.ts';
import type { FieldRule } from '../../api/merge-fields.ts';
import { codePoints, limits, unprintable, visible } from '@swarmdeck/bff/limits';

export type SwarmValues = Pick<SwarmItem, 'name' | 'description' | 'public'>;
export type SwarmField = keyof SwarmValues;
type SwarmFieldError = 'missing' | 'too_long' | 'invisible' | 'unprintable';
/** A code of the form, or the server's message. */
export type SwarmErrors = Partial<Record<SwarmField, SwarmFieldError | { detail: string }>>;

interface SwarmRule<Value> extends FieldRule<Value> {
  check(value: Value): SwarmFieldError | undefined;
}

function checkText(text: string, limit: number): SwarmFieldError | undefined {
  if (unprintable.test(text)) return 'unprintable';
  return codePoints(text) > limit ? 'too_long' : undefined;
}

/** The inputs are declared in swarm-fields.tsx. */
const swarmFields: { readonly [Field in SwarmField]: SwarmRule<SwarmValues[Field]> } = {
  name: {
    check: (name) => (name === '' ? 'missing' : visible.test(name) ? checkText(name, limits.nameLength) : 'invisible'),
  },
  description: { check: (description) => checkText(description, limits.descriptionLength) },
  public: { check: () => undefined },
};
export const swarmMerge = createMerge<SwarmValues>(swarmFields);
export const emptySwarm: SwarmValues = { name: '', description: '', public: false };

export function valuesOf({ name, description, public: isPublic }: SwarmValues): SwarmValues {
  return { name, description, public: isPublic };
}

/** Removes spaces around the name. */
export const tidied = (values: SwarmValues): SwarmValues => ({ ...values, name: values.name.trim() });

export function checkSwarm(values: SwarmValues): SwarmErrors {
  const check = <Field extends SwarmField>(field: Field) => swarmFields[field].check(values[field]);
  const found = swarmMerge.fields.map((field) => [field, check(field)] as const);
  return Object.fromEntries(found.filter(([, error]) => error !== undefined));
}

/** The server's errors by field. */
export function errorsOf(problem: Problem): SwarmErrors {
  const found: SwarmErrors = {};
  for (const { pointer, detail } of problem.errors ?? []) {
    const field = swarmMerge.fields.find((known) => pointer === `/${known}`);
    if (field) found[field] ??= { detail };
  }
  return found;
}
