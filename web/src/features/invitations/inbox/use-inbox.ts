import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ActionFilter, InvitationItem } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { readUrl, useUrlState, type UrlCodec } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { invitationTarget } from '../../../data/actions/action-kinds.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { isGone } from '../../../data/problem.ts';
import { joinRows, type Rows } from '../../../data/cache/paged-rows.ts';
import { invitationQuery, useAnswers, type Answer } from '../../../shared/actions/answers.tsx';
import { useAnsweringCount } from '../inbox-count.api.ts';
import { invitationParams, useBoxSide } from '../invitations.api.ts';
import type { Mailbox } from '../../../data/cache/query-keys.ts';
import { useHeldRows } from './held-rows.ts';
import { useInboxSelection } from './use-inbox-selection.ts';
import { useKeys } from '../../../ui/keys-provider.tsx';

/** The state and the actions of the inbox; inbox-page.tsx renders it. */
export function useInbox({ phone }: { phone: boolean }) {
  const [url, setUrl] = useUrlState(inboxUrl);
  const { box, q, resource, selected } = url;
  const query = { box, q, ...(resource !== undefined && { resource }) };
  const openSide = useBoxSide({ ...query, side: 'new' });
  const answeredSide = useBoxSide({ ...query, side: 'answered' });
  const isListShown = !phone || selected === null;
  const { open, history, held, onVisible } = useHeldRows({
    open: openSide,
    history: answeredSide,
    scope: [box, q, resource, isListShown, openSide.changing].join(' '),
  });
  const answering = useAnsweringCount(box);
  const answerInvitations = useAnswers();
  const { pendingOf } = useActionRequests();
  const isPending = (id: string) => pendingOf(invitationTarget(id)) !== undefined;
  /** Open invitations, then the history. */
  const rows = joinRows(open.rows, history.rows);
  const list = useRef<VirtualListHandle>(null);

  /** The invitation as it is now. A held row shows it as it was. */
  const listedItem = (id: string) => answeredSide.rows.get(id) ?? (held.has(id) ? undefined : open.rows.get(id));
  const listed = listedItem(selected ?? '');
  // The selected invitation if no list contains it: opened by a link, or withdrawn while it is shown.
  const unlisted = useQuery({ ...invitationQuery(selected ?? ''), enabled: selected !== null && !listed });
  // A response from before it was withdrawn would still offer the buttons.
  const item = listed ?? (selected === null || isGone(unlisted.error) ? undefined : unlisted.data);

  const isFiltered = q !== '' || resource !== undefined;
  /** Of the open invitations that match. */
  const answeringHere = isFiltered ? openSide.rows.all().filter(({ id }) => isPending(id)).length : answering;

  // Beside the list, one invitation is always open. It stays open when another one arrives.
  const first = rows.at(0)?.id;
  const settled = !open.pending && !history.pending && !open.changing;
  const toOpen = !phone && settled && selected === null ? first : undefined;
  const openIt = useEffectEvent((id: string) => setUrl({ selected: id }));
  useEffect(() => {
    if (toOpen !== undefined) openIt(toOpen);
  }, [toOpen]);

  /** Selects the row. On a phone without a row, returns to the list. */
  const goTo = (id: string | null) => {
    if (id !== null || phone) setUrl({ selected: id });
    if (id !== null) list.current?.reveal(id);
  };
  /** What matches only these of the loaded invitations. Those that the user has not seen were sent later. */
  function filterOf(items: readonly InvitationItem[]): ActionFilter | undefined {
    const seen = new Set(items.map(({ id }) => id));
    const except = openSide.rows.all().flatMap(({ id }) => (seen.has(id) ? [] : [id]));
    if (openSide.hasMore || items.length <= actionLimits.part || except.length > actionLimits.part) return undefined;
    const until = items.reduce((last, { changed_at }) => (changed_at > last ? changed_at : last), '');
    return { list: 'invitations', query: invitationParams({ ...query, side: 'new' }, { until }).toString(), except };
  }
  const isBusy = (id: string) => isPending(id) || held.has(id);
  const selection = useInboxSelection({
    open: openSide,
    answering: { inBox: answering, here: answeringHere },
    scope: `${box} ${q} ${resource}`,
    isBusy,
  });
  /** The invitation that shortcuts apply to: the one with the focus, which was announced, or the selected one. */
  const idNow = () => list.current?.focused() ?? readUrl(inboxUrl).selected;

  return {
    url,
    setUrl,
    open,
    history,
    held,
    onOpenVisible: onVisible,
    rows,
    item,
    isPending,
    listedItem,
    itemError: listed ? null : unlisted.error,
    reloadItem: () => void unlisted.refetch(),
    list,
    selection,
    /** The index of the selected invitation in `rows`, or -1. */
    place: rows.indexOf(selected ?? ''),
    itemNow() {
      const id = idNow() ?? '';
      return listedItem(id) ?? (item?.id === id ? item : undefined);
    },
    step(by: number) {
      const next = rowAfterStep({ rows, open: open.rows.length, id: idNow(), by, more: open.hasMore });
      goTo(next);
      if (next !== null) list.current?.focus(next);
    },
    /** Answers an invitation, and selects the next open one. */
    answer(answer: Answer, answered: InvitationItem) {
      const next = rowAfterAnswer({ rows: open.rows, id: answered.id, isBusy });
      const inList = list.current !== null && list.current.focused() !== null;
      answerInvitations(answer, [answered]);
      if (phone && selected === null) return;
      goTo(next);
      if (inList && next !== null) list.current?.focus(next);
    },
    answerSelected(answer: Answer) {
      const { items, clear } = selection;
      answerInvitations(answer, items, filterOf(items));
      clear();
      if (phone || selected === null || !isBusy(selected)) return;
      goTo(rowAfterAnswer({ rows: open.rows, id: selected, isBusy }));
    },
  };
}

export type Inbox = ReturnType<typeof useInbox>;

const inboxUrl: UrlCodec<{ box: Mailbox; q: string; resource: string | undefined; selected: string | null }> = {
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

interface RowAfterStepOptions {
  rows: Pick<Rows, 'length' | 'at' | 'indexOf'>;
  open: number;
  id: string | null;
  by: number;
  more: boolean;
}

/**
 * The row `by` rows after `id`. `open`: how many of the rows are open. `more`: some open rows are not loaded, and must
 * not be skipped.
 */
export function rowAfterStep({ rows, open, id, by, more }: RowAfterStepOptions): string | null {
  const place = rows.indexOf(id ?? '');
  const last = (more && place < open ? open : rows.length) - 1;
  return rows.at(place < 0 ? 0 : Math.min(Math.max(0, place + by), last))?.id ?? null;
}

interface RowAfterAnswerOptions {
  rows: Pick<Rows, 'length' | 'at' | 'indexOf'>;
  id: string;
  isBusy: (id: string) => boolean;
}

/** The row to select after `id` is answered: the one below, otherwise the one above, or null. */
export function rowAfterAnswer({ rows, id, isBusy }: RowAfterAnswerOptions): string | null {
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

/** The keys of the inbox, without `Z`, which undoes the last action anywhere (app/undo-key.tsx). */
export function useInboxKeys(inbox: Inbox, to: { search(): void; pane(): void; map(): void }): void {
  const { url, setUrl } = inbox;
  const answer = (how: Answer) => {
    const item = inbox.itemNow();
    if (inbox.selection.count > 0) inbox.answerSelected(how);
    else if (item?.status === 'new' && !inbox.isPending(item.id)) inbox.answer(how, item);
  };
  const step = (by: number) => {
    inbox.step(by);
    // On a phone, one invitation replaces the list.
    if (!inbox.list.current) to.pane();
  };
  const received = url.box === 'received';
  useKeys('inbox', {
    j: () => step(1),
    k: () => step(-1),
    Enter: to.pane,
    x: (event) => {
      const item = inbox.itemNow();
      if (item?.status === 'new') inbox.selection.toggle(item.id, event.shiftKey);
    },
    m: to.map,
    l: () => inbox.list.current?.focus(),
    '/': to.search,
    Escape: () => {
      if (inbox.selection.isActive) inbox.selection.clear();
      else if (url.q !== '') setUrl({ q: '' });
    },
  });
  useKeys('received', received ? { a: () => answer('accept'), r: () => answer('reject') } : null);
}
