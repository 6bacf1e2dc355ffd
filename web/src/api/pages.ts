/** The rows of a list that comes page by page. */
import type { InfiniteData } from '@tanstack/react-query';

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
  /** -1 where the list does not hold it. */
  indexOf(id: string): number;
  all(): Item[];
}

const known = new WeakMap<Page<Named>, Map<string, number>>();

/** Where each item of a page stands in it, by id. A page is never changed, so this is found out once. */
export function placesIn(page: Page<Named>): ReadonlyMap<string, number> {
  const there = known.get(page);
  if (there) return there;
  const places = new Map(page.items.map(({ id }, place) => [id, place]));
  known.set(page, places);
  return places;
}

/** As cheap as there are pages, not rows: a list of 100,000 is put together anew with each page that comes. */
export function rowsOf<Item extends Named>(pages: readonly Page<Item>[]): Rows<Item> {
  const starts: number[] = [];
  let length = 0;
  for (const page of pages) {
    starts.push(length);
    length += page.items.length;
  }
  const find = (id: string) => {
    for (const [number, page] of pages.entries()) {
      const place = placesIn(page).get(id);
      if (place !== undefined) return { item: page.items[place], row: (starts[number] ?? 0) + place };
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

const replacedBy = new WeakMap<object, object>();

/**
 * For `structuralSharing`: with the next page the library brings those before it as they were when it was asked for.
 * What has become of them since, by news or by an act of one's own, stays.
 */
export function withNextPage<Page extends object, Param>(
  before: InfiniteData<Page, Param> | undefined,
  read: InfiniteData<Page, Param>,
): InfiniteData<Page, Param> {
  let isOld = false;
  const pages = read.pages.map((page, number) => {
    const known = before?.pages[number];
    if (known === undefined || known === page) return page;
    if (!replacedBy.has(page)) {
      replacedBy.set(known, page);
      return page;
    }
    isOld = true;
    return newestOf(page);
  });
  return isOld ? { ...read, pages } : read;
}

function newestOf<Page extends object>(page: Page): Page {
  let newest: object = page;
  for (let next: object | undefined = page; next; next = replacedBy.get(next)) newest = next;
  return newest as Page;
}
