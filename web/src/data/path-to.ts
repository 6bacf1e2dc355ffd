import type { Answers } from '@swarmdeck/bff/contract';

/** The path of a request that is answered by an `Answer`. */
export type Path<Answer> = string & { readonly answer?: Answer };

export type Reads = keyof Answers;

/** The names of a path's parameters. */
type Names<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Names<`/${More}`>
    : Rest
  : never;

export type Params<P extends string> = Readonly<Record<Names<P>, string>>;

/**
 * The path of a request, with its parameters encoded: an id of an address may have a slash, which would lead to another path. So would
 * dots alone, which browsers also resolve if they are encoded. No record has such an id.
 */
export function pathTo<P extends string>(
  path: P,
  params: Params<P>,
  query: string | URLSearchParams = '',
): Path<P extends Reads ? Answers[P] : unknown> {
  const values: Readonly<Record<string, string>> = params;
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name]!).replace(/^\.{1,2}$/, '-'),
  );
  return query.toString() === '' ? filled : `${filled}?${query}`;
}
