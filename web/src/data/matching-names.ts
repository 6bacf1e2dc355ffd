import type { NamedItem } from '@swarmdeck/bff/contract';

/** The items whose name contains the text. */
export function matchingNames<Item extends NamedItem>(items: readonly Item[], q: string): Item[] {
  const wanted = q.trim().toLocaleLowerCase();
  return items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
}
