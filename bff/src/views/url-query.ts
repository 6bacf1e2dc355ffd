import { Problem } from '../http/problem.ts';
import type { FieldFault } from '../http/problem.ts';

/** The position of the next page of a list: after the row with this sort key and id. */
export interface Cursor {
  key: string;
  id: string;
}

export type UrlQuery = ReturnType<typeof createUrlQuery>;

const longestText = 200;
const mostRows = 200;

/**
 * Reads the parameters of a query one by one, and reports all invalid ones together. Unknown parameters are ignored,
 * empty ones are treated as absent.
 */
export function createUrlQuery(params: URLSearchParams) {
  const errors: FieldFault[] = [];
  const fault = (name: string, detail: string) => errors.push({ pointer: `?${name}`, code: 'query.invalid', detail });

  /** Undefined if the parameter is absent, or if `parse` refuses it. */
  function read<T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined {
    const [text, ...more] = params.getAll(name);
    if (text === undefined || text === '') return undefined;
    const value = more.length === 0 ? parse(text) : undefined;
    if (value === undefined) fault(name, more.length === 0 ? `takes ${expected}` : 'is given twice');
    return value;
  }

  return {
    read,
    fault,

    /** `q` without surrounding spaces; undefined if it is empty. */
    text(): string | undefined {
      const short = (text: string) => (text.length <= longestText ? text : undefined);
      return read('q', short, `at most ${longestText} characters`)?.trim() || undefined;
    },

    /** `limit` and `cursor`. A limit of 0 requests only the counts. */
    page({ sort, most = mostRows }: { sort: string; most?: number }): { limit: number; cursor: Cursor | undefined } {
      const limit = read('limit', wholeNumber({ most }), `a whole number from 0 to ${most}`) ?? 100;
      const cursor = read('cursor', (text) => readCursor({ text, sort }), '`next` of a page with the same sort');
      return { limit, cursor };
    },

    /** @throws `query.invalid` (400) with all invalid parameters, as `?bbox` */
    refuse() {
      if (errors.length > 0) throw new Problem('query.invalid', { errors });
    },
  };
}

/** The query of a request, without parsing the `Host`, which may make the URL invalid. */
export function paramsOf({ url }: { url: string }): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
}

export function oneOf<T extends string>(allowed: readonly T[]) {
  return (text: string) => allowed.find((each) => each === text);
}

/**
 * Parses a list of allowed values. Returns them in a fixed order without duplicates, so that a selection has one form.
 */
export function someOf<T extends string>(allowed: readonly T[]) {
  return (text: string) => {
    const wanted: string[] = text.split(',');
    const found = allowed.filter((each) => wanted.includes(each));
    return wanted.every((each) => found.some((one) => one === each)) ? found : undefined;
  };
}

export function wholeNumber({ most }: { most: number }) {
  return (text: string) => (/^\d{1,7}$/.test(text) && Number(text) <= most ? Number(text) : undefined);
}

export function readId(text: string): string | undefined {
  return /^[\w-]{1,64}$/.test(text) ? text : undefined;
}

export function writeCursor({ sort, key, id }: Cursor & { sort: string }): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

function readCursor({ text, sort }: { text: string; sort: string }): Cursor | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [of, key, id] = value as unknown[];
  return of === sort && typeof key === 'string' && typeof id === 'string' ? { key, id } : undefined;
}
