import type { ActionFilter, InvitationItem } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { invitationTarget } from '../../../data/actions/action-kinds.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { isOver, overReason, useAnswers, type Answer } from '../../../shared/actions/answers.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { invitationParams, type BoxSide } from '../invitations.api.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInbox } from './inbox-state.ts';
import { useInboxQuery } from './use-inbox-rows.ts';

/** Answers one or all selected invitations, and opens the next open one. */
export function useInboxAnswers() {
  const [{ selected }] = useUrlState(inboxUrl);
  const query = useInboxQuery();
  const { open, openSide, isBusy } = useInbox('rows');
  const { checked, check } = useInbox('selection');
  const { items } = checked;
  const { shownByLinks } = useInbox('open');
  const { goTo, setAnswered } = useInbox('steps');
  const { pendingOf } = useActionRequests();
  const { list } = useInbox('focus');
  const { isListShown } = useInbox('layout');
  const answerInvitations = useAnswers();
  const { show } = useToasts();
  const refuse = (item?: InvitationItem) => {
    if (item) show({ title: overReason(item), icon: 'clock' });
  };
  /** What the user has chosen for this invitation. */
  const termsOf = (answer: Answer, { id }: InvitationItem, endsAt?: string) => ({
    ...(endsAt !== undefined && { ends_at: endsAt }),
    ...(answer === 'accept' && shownByLinks === id && { shown_by_links: true as const }),
  });
  return {
    /** `endsAt`: accepts it until then. */
    answer(answer: Answer, answered: InvitationItem, endsAt?: string) {
      if (answer === 'accept' && acceptable([answered]).length === 0) return refuse(answered);
      const next = rowAfterAnswer({ rows: open.rows, id: answered.id, isBusy });
      const isInList = list.current !== null && list.current.focused() !== null;
      answerInvitations(answer, [answered], undefined, termsOf(answer, answered, endsAt));
      // A list without an open one beside it stays as it is.
      if (selected === null) return;
      const { id } = answered;
      setAnswered({ id, action: pendingOf(invitationTarget(id))?.action.id });
      goTo(next);
      if (next === null) return;
      if (isInList) list.current?.focus(next);
      else list.current?.reveal(next);
    },
    /** Accepts only those whose time is not over. One with a choice of its own is answered alone. */
    answerSelected(answer: Answer) {
      const answered = answer === 'accept' ? acceptable(items) : items;
      if (answered.length === 0) return refuse(items[0]);
      const chosen = answer === 'accept' ? answered.filter(({ id }) => id === shownByLinks) : [];
      for (const item of chosen) answerInvitations(answer, [item], undefined, termsOf(answer, item));
      const others = answered.filter((item) => !chosen.includes(item));
      if (others.length > 0) {
        answerInvitations(answer, others, filterOf({ items: others, open: openSide, query }));
      }
      check.clear();
      if (selected === null || !isListShown(selected) || !isBusy(selected)) return;
      // To ask for each of thousands whether it is busy takes milliseconds.
      const isLast = answered.length === openSide.rows.length;
      const next = isLast ? null : rowAfterAnswer({ rows: open.rows, id: selected, isBusy });
      goTo(next);
      if (next !== null) list.current?.reveal(next);
    },
  };
}

const acceptable = (items: readonly InvitationItem[], now = serverNow()) => items.filter((item) => !isOver(item, now));

interface FilterOptions {
  items: readonly InvitationItem[];
  open: BoxSide;
  query: ReturnType<typeof useInboxQuery>;
}

/** What matches only these of the loaded invitations. Those that the user has not seen were sent later. */
function filterOf({ items, open, query }: FilterOptions): ActionFilter | undefined {
  const seen = new Set(items.map(({ id }) => id));
  const except = open.rows.all().flatMap(({ id }) => (seen.has(id) ? [] : [id]));
  if (open.hasMore || items.length <= actionLimits.part || except.length > actionLimits.part) return undefined;
  const until = items.reduce((last, { changed_at }) => (changed_at > last ? changed_at : last), '');
  return { list: 'invitations', query: invitationParams({ ...query, side: 'new' }, { until }).toString(), except };
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
