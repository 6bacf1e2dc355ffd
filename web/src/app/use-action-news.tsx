import { useEffect, useEffectEvent, useRef } from 'react';
import type { Action, ActionItem } from '@swarmdeck/bff/contract';
import { effectOf } from '../data/actions/action-kinds.ts';
import type { ActionNotice } from '../data/actions/action-store.ts';
import { useActionRequests } from '../data/actions/actions.ts';
import { errorParts, errorSentence, isOutcomeUnknown, isUnreachable, ProblemError } from '../data/problem.ts';
import { labelsOf } from '../shared/actions/action-labels.tsx';
import { t } from '../text/text.ts';
import { Rich } from '../ui/texts/rich.tsx';
import { useToasts, type Toast } from '../ui/toasts/toast.tsx';

type Happened = Extract<ActionNotice, { isOwn: boolean }>;
type NotStarted = Extract<ActionNotice, { type: 'not_started' }>;
type NotChanged = Extract<ActionNotice, { type: 'not_changed' }>;

interface NewsOptions {
  actions: readonly Action[];
  announce(news: ActionNotice): void;
  /** Asks before an action is undone. */
  ask(action: Action): void;
}

/** Shows toasts of what has happened to actions, and passes on what is announced. */
export function useActionNews({ actions, announce, ask }: NewsOptions): void {
  const { onNotice, undo, isShown, dismiss } = useActionRequests();
  const { show, dismiss: dismissToast } = useToasts();
  const unstarted = useUnstartedToasts(actions);
  /** The toasts of requests that have not changed an action, such as an undo, by its id. */
  const unchanged = useRef(new Map<string, number>());
  const doneSince = useDoneSince();

  function onEnded(news: Happened) {
    const { action, isOwn } = news;
    unstarted.end(action.id);
    for (const { id } of doneSince(action)) void dismiss(id);
    const hasFailed = action.failed > 0;
    // The row of a single record shows its end. No row shows an offer of a later end.
    const isInRow = action.total === 1 && !action.can_undo && action.kind !== 'offer_end';
    if (hasFailed || (isInRow && isOwn)) announce(news);
    const rest = action.total - action.done;
    if (!isOwn || isShown(action) || isInRow || (hasFailed && rest === 0)) return;
    show({
      title: labelsOf(action).doneLabel(action, action.changed),
      icon: 'check',
      ...(rest > 0 && { text: t.bulk.stopped(rest) }),
      ...(action.can_undo && {
        // The undo of an import deletes devices, which nothing brings back.
        action:
          action.kind === 'import'
            ? { label: t.activity.actions.undo_button, onAction: () => ask(action) }
            : { label: t.shell.kit.undo, onAction: () => void undo(action.id, undefined, action) },
      }),
    });
  }

  function onUndone(news: Happened) {
    const toast = unchanged.current.get(news.action.id);
    // Only its answer was lost.
    if (toast !== undefined) dismissToast(toast);
    if (news.isOwn || toast !== undefined) announce(news);
  }

  const onNews = useEffectEvent((news: ActionNotice) => {
    if (news.type === 'added') unstarted.endSame(news.action);
    if (news.type === 'ended') onEnded(news);
    else if (news.type === 'not_started') unstarted.note(news.action, show(notStarted(news)));
    else if (news.type === 'not_changed') unchanged.current.set(news.action.id, show(notChanged(news)));
    else if (news.type === 'undone') onUndone(news);
    else if (news.action.state === 'pending') announce(news);
  });
  useEffect(() => onNotice(onNews), [onNotice]);
}

function notStarted({ action, error, retry }: NotStarted): Toast {
  const count = countIn(error);
  const labels = labelsOf(action);
  return {
    ...(isOutcomeUnknown(error)
      ? { title: labels.label(action), text: errorSentence(error) }
      : {
          title: labels.failedLabel({ ...action, failed: action.total }),
          text: count === undefined ? errorSentence(error) : t.bulk.count_changed(count),
        }),
    tone: 'bad',
    action: { label: count === undefined ? t.shell.kit.retry : t.bulk.continue, onAction: () => retry(count) },
  };
}

/** The number of items that a filter matches now, if that is why an action was not started. */
function countIn(error: unknown): number | undefined {
  if (!(error instanceof ProblemError) || error.code !== 'action.count_changed') return undefined;
  return Number(error.problem.errors?.[0]?.detail);
}

function notChanged({ action, error, isUndo }: NotChanged): Toast {
  const { bulk } = t;
  const reason = errorSentence(error);
  const tone = 'bad';
  if (isOutcomeUnknown(error) && !isUndo) return { title: reason, tone };
  if (isOutcomeUnknown(error)) {
    const text = action.state === 'ended' ? bulk.undo_unknown_ended : bulk.undo_unknown_text;
    return { title: bulk.undo_unknown, text, tone };
  }
  if (!isUndo) return { title: bulk.not_changed, text: reason, tone };
  if (action.state === 'pending' && isUnreachable(error))
    return { title: bulk.undo_not_sent, text: bulk.undo_not_sent_text, tone };
  if (errorParts(error).code.startsWith('action.')) {
    const text = <Rich text={bulk.too_late_text} action={labelsOf(action).label(action)} />;
    return { title: bulk.too_late, text, tone };
  }
  return { title: bulk.not_changed, text: reason, tone };
}

/** The toasts of actions that were not started. One ends once the same was started after all. */
function useUnstartedToasts(actions: readonly Action[]) {
  const { dismiss } = useToasts();
  /** By the id of the action, and by each of its steps. */
  const toasts = useRef(new Map<string, number>());
  function end(of: string) {
    const toast = toasts.current.get(of);
    if (toast !== undefined) dismiss(toast);
  }
  // They were started: only the answer did not arrive. To try again would start what may be undone meanwhile.
  const endStarted = useEffectEvent((started: readonly Action[]) => started.forEach(({ id }) => end(id)));
  useEffect(() => endStarted(actions), [actions]);
  return {
    note(action: Action, toast: number) {
      for (const of of [action.id, ...stepsOf(action).map(({ step }) => step)]) toasts.current.set(of, toast);
    },
    end,
    /** This action does the same. */
    endSame(action: Action) {
      if (toasts.current.size > 0) for (const { step } of stepsOf(action)) end(step);
    },
  };
}

/** Returns a function that notes an action that has ended. It returns the incomplete ones of which all that had failed was done since. */
function useDoneSince() {
  const { list } = useActionRequests();
  /** When each step was last done, in ms. */
  const succeeded = useRef(new Map<string, number>());
  /** Those whose steps are not in `succeeded` yet: only an incomplete action needs them, and they may be thousands. */
  const ended = useRef<Action[]>([]);
  return (action: Action): Action[] => {
    ended.current.push(action);
    const incomplete = list().filter(isIncomplete);
    if (incomplete.length === 0) return [];
    for (const one of ended.current.splice(0))
      for (const { step, hasFailed } of stepsOf(one)) if (!hasFailed) succeeded.current.set(step, endedAt(one));
    return incomplete.filter((one) => isOutdated(one, succeeded.current));
  };
}

export const endedAt = ({ ended_at }: Action) => Date.parse(ended_at ?? '');

const isIncomplete = ({ state, failed, done, total }: Action) => state === 'ended' && (failed > 0 || done < total);

/** Whether all that has failed in an incomplete action was done since. */
function isOutdated(action: Action, succeeded: ReadonlyMap<string, number>): boolean {
  const failed = stepsOf(action).filter(({ hasFailed }) => hasFailed);
  const isDone = ({ step }: { step: string }) => (succeeded.get(step) ?? 0) > endedAt(action);
  return failed.length > 0 && failed.every(isDone);
}

/** What an action does to each record, as far as its items are known. To give a member another role is another step. */
function stepsOf(action: Action): { step: string; hasFailed: boolean }[] {
  const { kind, items = [], about, results, failed, done, total } = action;
  const { targets } = effectOf(action);
  const role = 'resource_type' in about ? about.resource_type : '';
  return (items as ActionItem[]).flatMap((item, at) => {
    // Which items have failed may be known later.
    const hasFailed = results ? results[at] !== null : failed > 0 || done < total;
    return (targets?.(item, about) ?? []).map((target) => ({ step: `${kind} ${role} ${target}`, hasFailed }));
  });
}
