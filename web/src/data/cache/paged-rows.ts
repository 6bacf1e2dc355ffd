/** The rows of a list that is loaded page by page. */

interface Named {
  id: string;
}
interface Page<Item> {
  items: readonly Item[];
}

export interface Rows<Item = Named> {
  length: number;
  at(row: number): Item | undefined;
  get(id: string): Item | undefined;
  /** -1 if the list does not contain it. */
  indexOf(id: string): number;
  all(): Item[];
}

const known = new WeakMap<Page<Named>, Map<string, number>>();

/** The index of each item of a page, by id. Pages are immutable, so this is computed once. */
export function indexesOf(page: Page<Named>): ReadonlyMap<string, number> {
  const cached = known.get(page);
  if (cached) return cached;
  const indexes = new Map(page.items.map(({ id }, index) => [id, index]));
  known.set(page, indexes);
  return indexes;
}

/** The cost depends on the number of pages, not of rows, because it runs for each new page of a list of 100,000. */
export function rowsOf<Item extends Named>(pages: readonly Page<Item>[]): Rows<Item> {
  const starts: number[] = [];
  let length = 0;
  for (const page of pages) {
    starts.push(length);
    length += page.items.length;
  }
  const find = (id: string) => {
    for (const [number, page] of pages.entries()) {
      const index = indexesOf(page).get(id);
      if (index !== undefined) return { item: page.items[index], row: (starts[number] ?? 0) + index };
    }
    return undefined;
  };
  return {
    length,
    at(row) {
      const number = starts.findLastIndex((start) => start <= row);
      return pages[number]?.items[row - (starts[number] ?? 0)];
    },
    get: (id) => find(id)?.item,
    indexOf: (id) => find(id)?.row ?? -1,
    all: () => pages.flatMap(({ items }) => items),
  };
}
