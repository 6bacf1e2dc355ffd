/** Merges the newest page of a list into its loaded pages, without fetching the whole list again. */
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { byNewest, withoutItems } from '../../api/invitation-lists.ts';
import { indexesOf } from '../../api/pages.ts';

/**
 * Returns the pages with `head`, the newest page, in them. A row that `head` should contain and does not is removed,
 * except if `isPinned`, because it shows why an answer failed. Rows that are older than `head` stay. Returns the same
 * array if nothing changes.
 */
export function mergeHead({
  pages,
  head,
  isPinned,
}: {
  pages: InvitationPage[];
  head: InvitationPage;
  isPinned: (id: string) => boolean;
}): InvitationPage[] {
  const inHead = indexesOf(head);
  const last = head.items.at(-1);
  const reaches = (item: InvitationItem) => head.next === null || (last !== undefined && byNewest(item, last) <= 0);
  const stays = (item: InvitationItem) => !inHead.has(item.id) && (!reaches(item) || isPinned(item.id));
  const [first, ...others] = pages.map((page) => withoutItems(page, (item) => !stays(item)));
  if (!first) return [head];
  const next = others.length === 0 && first.next === null ? head.next : first.next;
  const items = [...head.items, ...first.items].sort(byNewest);
  const top = pages[0]!;
  const isSame =
    next === top.next && items.length === top.items.length && items.every((item, at) => item === top.items[at]);
  if (isSame && others.every((page, at) => page === pages[at + 1])) return pages;
  return [{ ...head, items, next }, ...others];
}
