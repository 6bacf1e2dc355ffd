/**
 * How news come into the pages of one side of a box without a row losing its place for nothing: what is loaded is
 * never read again as a whole, however long the list is.
 */
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { placesIn } from '../../api/pages.ts';

const newestFirst = (a: InvitationItem, b: InvitationItem) => {
  if (a.changed_at !== b.changed_at) return a.changed_at < b.changed_at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
};

/**
 * The pages with the newest page of now in them. As far as it reaches it is the truth: what is not in it any more is
 * gone, but for `kept` rows, which say why an answer was refused until somebody has read it. What lies beyond stays.
 * The same array where nothing is new.
 */
export function mergeHead({
  pages,
  head,
  kept,
}: {
  pages: InvitationPage[];
  head: InvitationPage;
  kept: (id: string) => boolean;
}): InvitationPage[] {
  const inHead = placesIn(head);
  const last = head.items.at(-1);
  const reaches = (item: InvitationItem) => head.next === null || (last !== undefined && newestFirst(item, last) <= 0);
  const stays = (item: InvitationItem) => !inHead.has(item.id) && (!reaches(item) || kept(item.id));
  const [first, ...others] = pages.map((page) => withoutItems(page, (item) => !stays(item)));
  if (!first) return [head];
  const next = others.length === 0 && first.next === null ? head.next : first.next;
  const items = [...head.items, ...first.items].sort(newestFirst);
  const top = pages[0]!;
  const isSame =
    next === top.next && items.length === top.items.length && items.every((item, at) => item === top.items[at]);
  if (isSame && others.every((page, at) => page === pages[at + 1])) return pages;
  return [{ ...head, items, next }, ...others];
}

/** The page without some rows; the same page where it holds none of them. */
export function withoutItems(page: InvitationPage, gone: (item: InvitationItem) => boolean): InvitationPage {
  const items = page.items.filter((item) => !gone(item));
  return items.length === page.items.length ? page : { ...page, items };
}

/** The page with rows at its top that are newer than all others there. */
export function withNewest(page: InvitationPage, items: readonly InvitationItem[]): InvitationPage {
  const known = new Set(items.map(({ id }) => id));
  const others = page.items.filter(({ id }) => !known.has(id));
  return { ...page, items: [...items.toSorted(newestFirst), ...others] };
}

export function withChanges(page: InvitationPage, change: (item: InvitationItem) => InvitationItem): InvitationPage {
  let changed = false;
  const items = page.items.map((item) => {
    const next = change(item);
    changed ||= next !== item;
    return next;
  });
  return changed ? { ...page, items } : page;
}
