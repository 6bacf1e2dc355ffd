import type { Device, DevicePage } from '@swarmdeck/bff/contract';

/** The rows of a list that came page by page. */
export interface Rows {
  length: number;
  at(row: number): Device | undefined;
  get(id: string): Device | undefined;
  /** -1 where the list does not hold it. */
  indexOf(id: string): number;
}

const indexes = new WeakMap<DevicePage, Map<string, number>>();

function indexOf(page: DevicePage): Map<string, number> {
  const known = indexes.get(page);
  if (known) return known;
  const index = new Map(page.items.map((device, at) => [device.id, at]));
  indexes.set(page, index);
  return index;
}

/** As cheap as there are pages, not rows: a list of 100,000 is put together anew with each page that comes. */
export function rowsOf(pages: readonly DevicePage[]): Rows {
  const starts: number[] = [];
  let length = 0;
  for (const page of pages) {
    starts.push(length);
    length += page.items.length;
  }
  const find = (id: string) => {
    for (const [number, page] of pages.entries()) {
      const at = indexOf(page).get(id);
      if (at !== undefined) return { device: page.items[at], row: (starts[number] ?? 0) + at };
    }
    return undefined;
  };
  return {
    length,
    at(row) {
      const number = starts.findLastIndex((start) => start <= row);
      return pages[number]?.items[row - (starts[number] ?? 0)];
    },
    get: (id) => find(id)?.device,
    indexOf: (id) => find(id)?.row ?? -1,
  };
}
