import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { noSelection, selectIds, toggle, toggleRange } from '../../../ui/selection.ts';
import { readUrl, useUrlState } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { useAnsweringCount } from '../../../api/cached-invitations.ts';
import { useAnswers } from '../answers.job.tsx';
import type { Answer } from '../answers.job.tsx';
import { invitationQuery, useBoxSide } from '../invitations.api.ts';
import { useInboxAnswers } from './inbox-answers.ts';
import type { UrlCodec } from '../../../ui/url-state.ts';
import type { Box } from '../../../api/query-keys.ts';
import type { Rows } from '../../../api/paged-rows.ts';
import { useKeys } from '../../../ui/keys-provider.tsx';
import { t } from '../../../text/text.ts';

/** The state and the actions of the inbox; inbox-page.tsx renders it. */
export function useInbox({ phone }: { phone: boolean }) {
  const [url, setUrl] = useUrlState(inboxUrl);
  const { box, q, resource, selected } = url;
  const query = { box, q, ...(resource !== undefined && { resource }) };
  const open = useBoxSide({ ...query, side: 'new' });
  const history = useBoxSide({ ...query, side: 'answered' });
  const answering = useAnsweringCount(box);
  const answers = useAnswers();
  const [checked, setChecked] = useState(noSelection);
  const [selecting, setSelecting] = useState(false);
  const list = useRef<VirtualListHandle>(null);

  const listed = selected === null ? undefined : (open.rows.get(selected) ?? history.rows.get(selected));
  // The selected invitation if no list contains it: opened by a link, or withdrawn while it is shown.
  const unlisted = useQuery({ ...invitationQuery(selected ?? ''), enabled: selected !== null && !listed });
  const item = listed ?? (selected === null ? undefined : unlisted.data);

  // Without invitations that were answered meanwhile, or arrived later.
  const checkedItems =
    checked.ids.size === 0 ? [] : open.rows.all().filter(({ id }) => checked.ids.has(id) && !answers.jobOf(id));

  // Beside the list, one invitation is always open. It stays open when another one arrives.
  const first = open.rows.at(0)?.id ?? history.rows.at(0)?.id;
  const settled = !open.pending && !history.pending && !open.changing;
  const toOpen = !phone && settled && selected === null ? first : undefined;
  const openIt = useEffectEvent((id: string) => setUrl({ selected: id }));
  useEffect(() => {
    if (toOpen !== undefined) openIt(toOpen);
  }, [toOpen]);

  // Another box or search has its own selection.
  const of = `${box} ${q} ${resource}`;
  const [checkedOf, setCheckedOf] = useState(of);
  if (checkedOf !== of) {
    setCheckedOf(of);
    setChecked(noSelection);
  }

  /** Selects the row. On a phone without a row, returns to the list. */
  const goTo = (id: string | null) => {
    if (id !== null || phone) setUrl({ selected: id });
    if (id !== null) list.current?.reveal(id);
  };
  const clear = () => setChecked(noSelection);

  return {
    url,
    setUrl,
    open,
    history,
    item,
    itemError: listed ? null : unlisted.error,
    reloadItem: () => void unlisted.refetch(),
    list,
    /** Without invitations whose answers are pending. */
    openTotal: Math.max(0, open.total - answering),
    place: indexInInbox({ open: open.rows, history: history.rows, id: selected }),
    checked: checked.ids,
    checkedItems,
    selecting,
    toggle(id: string, range: boolean) {
      if (answers.jobOf(id)) return;
      const order = range ? open.rows.all().map((row) => row.id) : [];
      setChecked((now) => (range ? toggleRange(now, id, order) : toggle(now, id)));
    },
    async selectAll() {
      setSelecting(true);
      try {
        setChecked(selectIds((await open.loadAll()).map(({ id }) => id)));
      } catch {
        // the list shows the error
      } finally {
        setSelecting(false);
      }
    },
    clear,
    /** The invitation that shortcuts apply to. */
    itemNow() {
      const id = readUrl(inboxUrl).selected ?? '';
      return open.rows.get(id) ?? history.rows.get(id) ?? (item?.id === id ? item : undefined);
    },
    step: (by: number) =>
      goTo(
        rowAfterStep({
          open: open.rows,
          history: history.rows,
          id: readUrl(inboxUrl).selected,
          by,
          more: open.hasMore,
        }),
      ),
    ...useInboxAnswers({ open, list, phone, selected, checkedItems, goTo, clear }),
  };
}

export type Inbox = ReturnType<typeof useInbox>;

const inboxUrl: UrlCodec<{ box: Box; q: string; resource: string | undefined; selected: string | null }> = {
  read: (params) => ({
    box: params.get('tab') === 'sent' ? 'sent' : 'received',
    q: params.get('q') ?? '',
    /** Invitations for this device only. */
    resource: params.get('resource') ?? undefined,
    selected: params.get('sel'),
  }),
  write: ({ box, q, resource, selected }) => ({
    tab: box === 'sent' ? 'sent' : undefined,
    q: q || undefined,
    resource,
    sel: selected ?? undefined,
  }),
};

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

/** `Z` undoes the last pending action (app/undo-toasts.tsx). */
export function useInboxKeys(inbox: Inbox, to: { search(): void; pane(): void; map(): void }): void {
  const answers = useAnswers();
  const { url, setUrl } = inbox;
  const answer = (how: Answer) => {
    const item = inbox.itemNow();
    if (inbox.checkedItems.length > 0) inbox.answerChecked(how);
    else if (item?.status === 'new' && !answers.jobOf(item.id)) inbox.answer(how, item);
  };
  const received = url.box === 'received';
  useKeys('inbox', {
    j: () => inbox.step(1),
    k: () => inbox.step(-1),
    Enter: to.pane,
    x: (event) => {
      const item = inbox.itemNow();
      if (item?.status === 'new') inbox.toggle(item.id, event.shiftKey);
    },
    m: to.map,
    l: () => inbox.list.current?.focus(),
    '/': to.search,
    Escape: () => {
      if (inbox.checked.size > 0) inbox.clear();
      else if (url.q !== '') setUrl({ q: '' });
    },
  });
  useKeys('received', received ? { a: () => answer('accept'), r: () => answer('reject') } : null);
}

/** The announcement when invitations arrive. Empty after a change of the box or the search. */
export function useArrivals({ open, url }: Pick<Inbox, 'open' | 'url'>): string {
  const scope = `${url.box} ${url.q} ${url.resource}`;
  const newest = open.rows.at(0);
  const [known, setKnown] = useState({ scope, sent_at: newest?.sent_at, announcement: '' });
  if (known.scope !== scope || (known.sent_at === undefined && newest))
    setKnown({ scope, sent_at: newest?.sent_at, announcement: '' });
  else if (newest && known.sent_at !== undefined && newest.sent_at > known.sent_at) {
    const since = known.sent_at;
    let count = 0;
    while ((open.rows.at(count)?.sent_at ?? '') > since) count += 1;
    setKnown({ scope, sent_at: newest.sent_at, announcement: t.invitations.arrived(count) });
  }
  return known.announcement;
}
