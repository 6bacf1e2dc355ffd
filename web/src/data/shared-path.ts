import { madeLink } from '@swarmdeck/bff/first-rules';

/**
 * The path of the first link to this server in what another app shares: in its URL, or somewhere in its text. Undefined if
 * there is none.
 */
export function sharedPath({ search, origin }: { search: string; origin: string }): string | undefined {
  const params = new URLSearchParams(search);
  const words = ['url', 'text', 'title'].flatMap((name) => (params.get(name) ?? '').split(/\s+/));
  const link = words
    .map((word) => URL.parse(word.replace(/^[^\w]+/, '')))
    .find((url) => url?.origin === origin && /^\/(?!share$|\/)/.test(url.pathname));
  if (!link) return undefined;
  const target = link.pathname + link.search;
  return madeLink(target) ?? target + link.hash;
}
