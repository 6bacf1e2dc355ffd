import { useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { Offline } from '../../../ui/environment.tsx';
import { noSelection, selectIds, toggle, toggleRange } from '../../../ui/selection.ts';
import { readUrl, useUrlState } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { useAnsweringCount, useAnswers, useAnswerJobs } from '../answers/answers.job.tsx';
import { invitationQuery } from '../invitations.api.ts';
import type { Answer } from '../invitations.api.ts';
import { useBoxSide } from '../use-box-side.ts';
import { rowAfterAnswer, indexInInbox, rowAfterStep } from './next-row.ts';
import { inboxUrl } from './inbox-url.ts';

/** The state and the actions of the inbox; inbox-page.tsx renders it. */
export function useInbox({ phone }: { phone: boolean }) {
  const client = useQueryClient();
  const answers = useAnswers();
  const offline = use(Offline);
  const [url, setUrl] = useUrlState(inboxUrl);
  const { box, q, resource, selected } = url;
  const query = { box, q, ...(resource !== undefined && { resource }) };
  const open = useBoxSide({ ...query, side: 'new' });
  const history = useBoxSide({ ...query, side: 'answered' });
  const answering = useAnsweringCount(box);
  const jobs = useAnswerJobs();
  const [ticked, setTicked] = useState(noSelection);
  const [selecting, setSelecting] = useState(false);
  const list = useRef<VirtualListHandle>(null);

  const listed = selected === null ? undefined : (open.rows.get(selected) ?? history.rows.get(selected));
  // The selected invitation if no list contains it: opened by a link, or withdrawn while it is shown.
  const unlisted = useQuery({ ...invitationQuery(selected ?? ''), enabled: selected !== null && !listed });
  const item = listed ?? (selected === null ? undefined : unlisted.data);

  // Without invitations that were answered meanwhile, or arrived later.
  const tickedItems = useMemo(() => {
    if (ticked.ids.size === 0) return [];
    const isBusy = (id: string) => jobs.length > 0 && answers.jobOf(id) !== undefined;
    return open.rows.all().filter(({ id }) => ticked.ids.has(id) && !isBusy(id));
  }, [ticked, open.rows, answers, jobs]);

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
  const [tickedOf, setTickedOf] = useState(of);
  if (tickedOf !== of) {
    setTickedOf(of);
    setTicked(noSelection);
  }

  const goTo = (id: string | null) => {
    if (id === null) return;
    setUrl({ selected: id });
    list.current?.reveal(id);
  };

  return {
    url,
    setUrl,
    open,
    history,
    item,
    itemError: listed ? null : unlisted.error,
    reloadItem: () => void unlisted.refetch(),
    list,
    jobs,
    /** Without invitations whose answers are pending. */
    openTotal: Math.max(0, open.total - answering),
    place: indexInInbox({ open: open.rows, history: history.rows, id: selected }),
    ticked: ticked.ids,
    tickedItems,
    selecting,
    toggle(id: string, range: boolean) {
      if (answers.jobOf(id)) return;
      const order = range ? open.rows.all().map((row) => row.id) : [];
      setTicked((now) => (range ? toggleRange(now, id, order) : toggle(now, id)));
    },
    async selectAll() {
      setSelecting(true);
      try {
        setTicked(selectIds((await open.loadAll()).map(({ id }) => id)));
      } catch {
        // the list shows the error
      } finally {
        setSelecting(false);
      }
    },
    clear: () => setTicked(noSelection),
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
    answer(answer: Answer, answered: InvitationItem) {
      if (offline) return;
      const next = rowAfterAnswer({
        rows: open.rows,
        id: answered.id,
        isBusy: (id) => answers.jobOf(id) !== undefined || answers.failureOf(id) !== undefined,
      });
      const inList = list.current !== null && list.current.focused() !== null;
      answers.add({ answer, items: [answered] });
      if (phone && selected === null) return;
      if (phone && next === null) setUrl({ selected: null });
      else goTo(next);
      if (inList && next !== null) list.current?.focus(next);
    },
    answerTicked(answer: Answer) {
      if (offline) return;
      answers.add({ answer, items: tickedItems });
      setTicked(noSelection);
      if (phone || selected === null || !answers.jobOf(selected)) return;
      goTo(rowAfterAnswer({ rows: open.rows, id: selected, isBusy: (id) => answers.jobOf(id) !== undefined }));
    },
    /** Removes a row whose answer has failed permanently. */
    dismiss({ id, swarm_id }: InvitationItem) {
      answers.dismissFailure(id);
      applyOwnChanges(
        client,
        { type: 'invitation.withdrawn', data: { id, swarm_id } },
        { type: 'answers.sent', data: { isJoined: false } },
      );
    },
  };
}

export type Inbox = ReturnType<typeof useInbox>;
