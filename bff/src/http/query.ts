/** Parses the query of a URL by a zod schema. */
import { z } from '@hono/zod-openapi';
import { Problem, type FieldFault } from './problem.ts';

/** Without the members that are undefined. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** The query of a request, without parsing the `Host`, which may make the URL invalid. */
export function paramsOf({ url }: { url: string }): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
}

/**
 * Ignores unknown parameters, and empty ones unless `keepsEmpty`.
 * @throws `query.invalid` (400) with one error for each invalid parameter, as `?bbox`
 */
export function readQuery<Schema extends z.ZodObject>(
  params: URLSearchParams,
  schema: Schema,
  { keepsEmpty = false } = {},
): Given<z.output<Schema>> {
  const faults = new Map<string, FieldFault>();
  const fault = (name: string, detail: string, code = 'query.invalid') => {
    if (!faults.has(name)) faults.set(name, { pointer: `?${name}`, code, detail });
  };
  const sent = Object.keys(schema.shape).flatMap((name) => {
    const texts = params.getAll(name).filter((text) => keepsEmpty || text !== '');
    if (texts.length > 1) fault(name, 'occurs more than once');
    return texts.length > 0 ? [[name, texts[0]] as const] : [];
  });
  const { data, error } = schema.safeParse(Object.fromEntries(sent));
  for (const { path, code, message } of error?.issues ?? [])
    fault(String(path[0]), message, code === 'invalid_value' ? 'field.not_allowed' : 'query.invalid');
  if (faults.size > 0) throw new Problem('query.invalid', { errors: [...faults.values()] });
  const given = Object.entries(data!).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<z.output<Schema>>;
}

export const oneOf = <const T extends string>(allowed: readonly T[]) =>
  z.enum(allowed, `must be one of ${allowed.join(', ')}`);

/** Values separated by commas, in a fixed order without duplicates, so that a selection has one form. */
export function someOf<const T extends string>(allowed: readonly T[]) {
  return parsed(`one or more of ${allowed.join(', ')}, separated by commas`, (text) => {
    const wanted: string[] = text.split(',');
    const found = allowed.filter((each) => wanted.includes(each));
    return wanted.every((each) => found.some((one) => one === each)) ? found : undefined;
  });
}

export function wholeNumber({ least = 0, most }: { least?: number; most: number }) {
  return parsed(`a whole number from ${least} to ${most}`, (text) => {
    const isWithin = /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most;
    return isWithin ? Number(text) : undefined;
  });
}

export const id = (expected: string) => z.string().regex(/^[\w-]{1,64}$/, `must be ${expected}`);

/** A parameter that `parse` converts; undefined if it is invalid. `expected` describes it after "must be" in the error. */
export function parsed<T>(expected: string, parse: (text: string) => T | undefined) {
  return z.string(`is required: ${expected}`).transform((text, { addIssue }): T => {
    const value = parse(text);
    if (value === undefined) addIssue(`must be ${expected}`);
    return value!;
  });
}
