/** Parses the query of a URL by a zod schema, with the parameters that lists with pages have. */
import { z } from '@hono/zod-openapi';
import { Problem, type FieldFault } from '../problem.ts';
import { queryLimits } from '../limits/part-limits.ts';

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
  const parameters = Object.keys(schema.shape).flatMap((name) => {
    const texts = params.getAll(name).filter((text) => keepsEmpty || text !== '');
    if (texts.length > 1) fault(name, 'occurs more than once');
    return texts.length > 0 ? [[name, texts[0]] as const] : [];
  });
  const { data, error } = schema.safeParse(Object.fromEntries(parameters));
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

/** The position of the next page of a list: after the row with this sort key and id. The id of a device is its ref. */
export interface Cursor<Id extends string | number = string> {
  key: string;
  id: Id;
}
/** A cursor of a request, before it is compared with the sort of the request. */
export type SortedCursor<Id extends string | number = string> = Cursor<Id> & { sort: string };

/** `q` without surrounding spaces; undefined if it is empty. */
export const searchParameter = z
  .string()
  .max(queryLimits.searchLength, `must have at most ${queryLimits.searchLength} characters`)
  .transform((text) => text.trim() || undefined)
  .optional();

const cursorExpected = '`next` of a page with the same sort';

/** `limit` and `cursor`. A limit of 0 requests only the counts. */
export const pageParameters = ({ most = queryLimits.page }: { most?: number } = {}) =>
  parametersOf({ most, id: z.string() });

/** For lists of devices. Bulk actions read thousands of them. */
export const devicePageParameters = () => parametersOf({ most: queryLimits.devicePage, id: z.int().positive() });

function parametersOf<Id extends string | number>({ most, id }: { most: number; id: z.ZodType<Id> }) {
  return {
    limit: wholeNumber({ most }).default(100),
    cursor: parsed(cursorExpected, (text) => readCursor(text, id)).optional(),
  };
}

/** @throws `query.invalid` if the cursor is of a page with another sort */
export function checkedCursor<Id extends string | number>(
  cursor: SortedCursor<Id> | undefined,
  sort: string,
): Cursor<Id> | undefined {
  if (cursor === undefined) return undefined;
  const { key, id } = cursor;
  if (cursor.sort === sort) return { key, id };
  throw invalidCursor();
}

/** The problem of a cursor that no page has. */
export function invalidCursor(): Problem {
  const fault = { pointer: '?cursor', code: 'query.invalid', detail: `must be ${cursorExpected}` };
  return new Problem('query.invalid', { errors: [fault] });
}

export function writeCursor({ sort, key, id }: SortedCursor<string | number>): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

function readCursor<Id extends string | number>(text: string, idOf: z.ZodType<Id>): SortedCursor<Id> | undefined {
  const cursor = z.tuple([z.string(), z.string(), idOf]).safeParse(parsedCursor(text));
  if (!cursor.success) return undefined;
  const [sort, key, id] = cursor.data;
  return { sort, key, id };
}

function parsedCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
