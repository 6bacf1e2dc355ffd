/**
 * Nothing may move under a finger or the pointer, because it would hit another invitation. The row of an invitation that
 * is no longer open therefore keeps its place while it is in view: until the user scrolls it away, filters or leaves.
 */
import { useEffect, useMemo, useState } from 'react';
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { byNewest, withoutItems } from '../../../data/cache/cached-invitations.ts';
import { rowsOf, type Rows } from '../../../data/cache/paged-rows.ts';
import type { BoxSide } from '../invitations.api.ts';

/** The rows in view. `end` is the row after the last one. */
interface View {
  start: number;
  end: number;
}

type HeldRows = ReadonlyMap<string, InvitationItem>;
const none: HeldRows = new Map();

/** In ms. Rows are not removed while the list scrolls, because that would stop it on some phones. */
const scrollPause = 300;

/**
 * The open invitations with the held rows in their places, and the history without them. `scope`: another one holds no
 * rows of the last one.
 */
export function useHeldRows({ open, history, scope }: { open: BoxSide; history: BoxSide; scope: string }) {
  const { rows, pages, hasMore } = open;
  const [list] = useState(createListMemory);
  const [before, setBefore] = useState({ scope, rows, pages, held: none });
  let { held } = before;
  if (before.scope !== scope || before.rows !== rows) {
    const shown = rowsOf(withHeld(before.pages, held));
    held = before.scope === scope ? heldAfter({ held, shown, rows, hasMore, view: list.view() }) : none;
    setBefore({ scope, rows, pages, held });
  }
  const shown = useMemo(() => (held.size === 0 ? rows : rowsOf(withHeld(pages, held))), [held, rows, pages]);
  const past = useMemo(
    () => rowsOf(history.pages.map((page) => withoutItems(page, ({ id }) => held.has(id)))),
    [held, history.pages],
  );
  useEffect(() => list.stop, [list]);

  return {
    open: { ...open, rows: shown, total: open.total + held.size },
    history: { ...history, rows: past, total: history.total - (history.rows.length - past.length) },
    held,
    /** Called with the open rows in view. The held rows that are out of view are released once the list rests. */
    onVisible(view: View) {
      list.look(view, () => {
        const seen = new Set(inView({ shown, view }).map(({ id }) => id));
        setBefore((state) => {
          const left = [...state.held].filter(([id]) => seen.has(id));
          return left.length === state.held.size ? state : { ...state, held: new Map(left) };
        });
      });
    },
  };
}

/** What is known of the list without rendering: the rows in view. */
function createListMemory() {
  let view: View = { start: 0, end: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  return {
    view: () => view,
    /** Calls `onRest` once the list does not scroll any more. */
    look(now: View, onRest: () => void) {
      view = now;
      stop();
      timer = setTimeout(onRest, scrollPause);
    },
    stop,
  };
}

function inView({ shown, view }: { shown: Rows<InvitationItem>; view: View }): InvitationItem[] {
  const found: InvitationItem[] = [];
  for (let row = view.start; row < view.end; row += 1) {
    const item = shown.at(row);
    if (item) found.push(item);
  }
  return found;
}

interface HeldRowsOptions {
  held: HeldRows;
  shown: Rows<InvitationItem>;
  rows: Rows<InvitationItem>;
  hasMore: boolean;
  view: View;
}

/** The held rows after the open ones have become `rows`. `shown`: the rows before, with the held ones. */
export function heldAfter({ held, shown, rows, hasMore, view }: HeldRowsOptions): HeldRows {
  const last = rows.at(rows.length - 1);
  // A row after the last loaded one may be on a page that is not loaded any more.
  const hasEnded = (item: InvitationItem) =>
    rows.indexOf(item.id) < 0 && (!hasMore || (last !== undefined && byNewest(item, last) < 0));
  const next = [...held.values(), ...inView({ shown, view })].filter(hasEnded);
  return next.length === 0 ? none : new Map(next.map((item) => [item.id, item]));
}

/** The pages of open invitations with the held rows in their places. */
export function withHeld(pages: readonly InvitationPage[], held: HeldRows): InvitationPage[] {
  const left = [...held.values()].toSorted(byNewest);
  return pages.map((page, number) => {
    const last = page.items.at(-1);
    const isLast = number === pages.length - 1;
    const count = isLast ? left.length : left.filter((item) => last && byNewest(item, last) < 0).length;
    const items = left.splice(0, count);
    return items.length === 0 ? page : { ...page, items: [...page.items, ...items].toSorted(byNewest) };
  });
}
