import type { Rows } from '../../../api/pages.ts';

/** The row to select after `id` is answered: the one below, otherwise the one above, or null. */
export function rowAfterAnswer({
  rows,
  id,
  isBusy,
}: {
  rows: Pick<Rows, 'length' | 'at' | 'indexOf'>;
  id: string;
  isBusy: (id: string) => boolean;
}): string | null {
  const from = rows.indexOf(id);
  if (from < 0) return null;
  const find = (step: 1 | -1) => {
    for (let row = from + step; row >= 0 && row < rows.length; row += step) {
      const item = rows.at(row);
      if (item && !isBusy(item.id)) return item.id;
    }
    return null;
  };
  return find(1) ?? find(-1);
}

type Side = Pick<Rows, 'length' | 'at' | 'indexOf'>;

/**
 * The row `by` rows after `id`, across open invitations and history. `more`: some open rows are not loaded, and must
 * not be skipped.
 */
export function rowAfterStep({
  open,
  history,
  id,
  by,
  more = false,
}: {
  open: Side;
  history: Side;
  id: string | null;
  by: number;
  more?: boolean;
}): string | null {
  const place = indexInInbox({ open, history, id });
  const last = (more && place < open.length ? open.length : open.length + history.length) - 1;
  const to = place < 0 ? 0 : Math.min(Math.max(0, place + by), last);
  return (to < open.length ? open.at(to) : history.at(to - open.length))?.id ?? null;
}

/** -1 if neither list contains the row. */
export function indexInInbox({
  open,
  history,
  id,
}: {
  open: Pick<Rows, 'length' | 'indexOf'>;
  history: Pick<Rows, 'indexOf'>;
  id: string | null;
}): number {
  if (id === null) return -1;
  const place = open.indexOf(id);
  if (place >= 0) return place;
  const row = history.indexOf(id);
  return row < 0 ? -1 : open.length + row;
}
