/** The query parameters that lists with pages have. */
import { z } from '@hono/zod-openapi';
import { Problem } from './problem.ts';
import { parsed, wholeNumber } from './query.ts';

/** The position of the next page of a list: after the row with this sort key and id. The id of a device is its ref. */
export interface Cursor<Id extends string | number = string> {
  key: string;
  id: Id;
}
/** A cursor of a request, before it is compared with the sort of the request. */
export type SortedCursor<Id extends string | number = string> = Cursor<Id> & { sort: string };

const longestText = 200;

/** `q` without surrounding spaces; undefined if it is empty. */
export const searchParameter = z
  .string()
  .max(longestText, `must have at most ${longestText} characters`)
  .transform((text) => text.trim() || undefined)
  .optional();

const cursorExpected = '`next` of a page with the same sort';

/** `limit` and `cursor`. A limit of 0 requests only the counts. */
export const pageParameters = ({ most = 200 } = {}) => parametersOf({ most, id: z.string() });

/** For lists of devices. Bulk actions read thousands of them. */
export const devicePageParameters = () => parametersOf({ most: 1000, id: z.int().positive() });

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
  const cursor = z.tuple([z.string(), z.string(), idOf]).safeParse(jsonOf(text));
  if (!cursor.success) return undefined;
  const [sort, key, id] = cursor.data;
  return { sort, key, id };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
