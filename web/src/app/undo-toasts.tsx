import { useCallback, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../data/actions/actions.ts';
import type { ActionNotice } from '../data/actions/action-store.ts';
import { isPostponed, useActions } from '../data/actions/shown-actions.ts';
import { serverNow } from '../data/server-clock.ts';
import { useUnreachable } from '../data/unreachable.ts';
import { hasOnlyKept, labelsOf, nameOfItem, resultSentence } from '../shared/actions/action-labels.tsx';
import { FailureReason } from '../shared/actions/answers.tsx';
import { ActionProgress } from '../shared/actions/action-progress.tsx';
import { FailedItems } from '../shared/actions/failed-items.tsx';
import { UndoCountdown, useCanUndo } from '../shared/actions/undo-button.tsx';
import { UndoQuestion } from '../shared/actions/undo-ended.tsx';
import { joinList } from '../text/formats.ts';
import { formatNumber, t } from '../text/text.ts';
import { Button, IconButton } from '../ui/buttons/button.tsx';
import { useEventListener } from '../ui/browser/use-event-listener.ts';
import { CommandKey, useKeysEnabled } from '../ui/keys/keys-provider.tsx';
import { touch, useMedia } from '../ui/browser/media.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { bothRefs, heightAs, readsHeights } from '../ui/browser/measured-height.ts';
import { OutcomeToasts } from '../ui/toasts/outcome-toasts.tsx';
import { Notice } from '../ui/toasts/notice.tsx';
import { coversPage } from '../ui/toasts/toast-space.ts';
import { useHoverOrFocus } from '../ui/toasts/toast.tsx';
import { useFocusReturn } from '../ui/browser/use-focus-restore.ts';
import { useFocusAfterRemoval } from '../ui/browser/use-focus-after-removal.ts';
import { lastPending } from './undo-last.tsx';
import { InvitationAnnouncer } from './invitation-announcer.tsx';
import { endedAt, useActionNews } from './use-action-news.tsx';
import './undo-toasts.css';

/** Other notices are above. */
const toastsRef = bothRefs(bothRefs(heightAs('--undo-toasts-height'), readsHeights), coversPage);
/** In ms. A shorter action shows nothing while it runs. */
const shortest = 1000;
/** In ms. Later, the announcement would be found beside a page that it does not belong to. */
const newsLast = 9000;

/** The user's actions: what can be undone, what runs, and what has failed. */
export function UndoToasts() {
  const { hasUnsaved, secondsLeft, dismiss, undo } = useActionRequests();
  const actions = useActions();
  const onTouch = useMedia(touch);
  const keys = useKeysEnabled() && !onTouch;
  const last = lastPending(actions);
  useEventListener(globalThis, 'beforeunload', (event) => hasUnsaved() && event.preventDefault());
  const [news, setNews] = useState<ActionNotice | null>(null);
  const [asked, ask] = useState<Action | null>(null);
  useActionNews({ actions, announce: setNews, ask });
  useEffect(() => {
    const timer = setTimeout(() => setNews((now) => (now === news ? null : now)), newsLast);
    return () => clearTimeout(timer);
  }, [news]);
  const focusReturn = useFocusReturn();
  const [opened, setOpened] = useState<Action | null>(null);
  const list = useNewestInView(actions.at(-1)?.id);
  const failures = useFailures(actions);
  const dismissAll = () => failures.folded.forEach(({ id }) => void dismiss(id));
  const { undo_within, undo_within_keys, undone, region } = t.bulk.pending;
  const isReachable = useUnreachable() === null;
  const label = news && labelsOf(news.action).label(news.action);
  const seconds = news ? formatNumber(secondsLeft(news.action)) : '';
  return (
    <>
      <output className="visually-hidden">
        {news?.type === 'added' && (
          <>
            {label}. {isReachable ? (keys ? undo_within_keys : undo_within)(seconds) : t.invitations.postponed}
          </>
        )}
        {news?.type === 'ended' && endOf(news.action)}
        {news?.type === 'undone' && <Rich text={undone} what={label} />}
      </output>
      <InvitationAnnouncer />
      <OutcomeToasts />
      <section ref={list} className="stack toasts undo-toasts" aria-label={region} {...focusReturn}>
        {actions.map((action) => (
          <ActionToast
            key={action.id}
            action={action}
            keyHint={keys && action === last}
            failure={failures.of(action)}
            onShowFailed={setOpened}
          />
        ))}
        {failures.folded.length > 0 && (
          <FoldedFailures actions={failures.folded} onUnfold={failures.unfold} onDismiss={dismissAll} />
        )}
      </section>
      {asked && (
        <UndoQuestion
          action={asked}
          onConfirm={() => void undo(asked.id, undefined, asked)}
          onClose={() => ask(null)}
        />
      )}
      {opened && (
        <FailedItems
          action={opened}
          onClose={(isSeen) => {
            setOpened(null);
            // The activity still has it.
            if (isSeen) void dismiss(opened.id);
          }}
        />
      )}
    </>
  );
}

/** A ref of the list, which scrolls to its end for each new one: they may be more than there is room for. */
function useNewestInView(newest: string | undefined) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (newest !== undefined && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  return useCallback((element: HTMLElement | null) => {
    list.current = element;
    return toastsRef(element);
  }, []);
}

const endOf = (action: Action) =>
  action.failed > 0 ? labelsOf(action).failedLabel(action) : labelsOf(action).doneLabel(action, action.changed);

interface ToastProps {
  action: Action;
  failure: Failure;
  onShowFailed(action: Action): void;
}

function ActionToast({ action, keyHint, ...ofFailure }: ToastProps & { keyHint: boolean }) {
  const { undo, hold, isShown, isUndoing } = useActionRequests();
  const { active, handlers } = useHoverOrFocus();
  const { id, state } = action;
  useEffect(() => (active && state === 'pending' ? hold(id) : undefined), [active, hold, id, state]);
  const isLong = useIsLong(action);
  const canUndo = useCanUndo(action);
  const labels = labelsOf(action);
  if (isPostponed(action) || (state !== 'pending' && isShown(action))) return null;
  if (state === 'ended') return action.failed > 0 && <FailedToast action={action} {...ofFailure} />;
  if (!isLong && state !== 'pending') return null;
  return (
    <div data-kind={action.kind} data-total={action.total} {...handlers}>
      <Notice title={labels.label(action)}>
        {state !== 'pending' ? (
          <ActionProgress action={action} />
        ) : (
          (canUndo || isUndoing(id)) && (
            <Button size="small" look="accent" busy={isUndoing(id)} acts onClick={() => void undo(id)}>
              {isUndoing(id) ? t.devices.pending.undoing : <UndoCountdown action={action} />}
              {keyHint && <CommandKey scope="undo" id="undo_last" />}
            </Button>
          )
        )}
      </Notice>
    </div>
  );
}

/** Whether it takes longer than the user would notice. */
function useIsLong({ state }: Action): boolean {
  const runs = state === 'running';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => setLong(true), shortest);
    return () => clearTimeout(timer);
  }, [runs]);
  return isLong || state === 'paused' || state === 'uploading';
}

/** In ms. Later, what has failed is part of one button, which stays on all pages until somebody opens it or puts it away. */
const wholeFor = 20_000;

/** Whether the notice of what has failed is folded, or was unfolded by the user. */
interface Failure {
  isFolded: boolean;
  isUnfolded: boolean;
  fold(): void;
}

/** What has failed: new notices are whole, and all older ones are one button. */
function useFailures(actions: readonly Action[]) {
  const { isShown } = useActionRequests();
  const [looks, setLooks] = useState<ReadonlyMap<string, 'whole' | 'folded' | 'unfolded'>>(new Map());
  const failed = actions.filter((action) => action.state === 'ended' && action.failed > 0 && !isShown(action));
  // Once for each: one that somebody reads is not folded by what happens meanwhile.
  const unseen = failed.filter(({ id }) => !looks.has(id));
  if (unseen.length > 0)
    setLooks(new Map([...looks, ...unseen.map((action) => [action.id, firstLookOf(action)] as const)]));
  const folded = failed.filter(({ id }) => looks.get(id) === 'folded');
  return {
    folded,
    of: ({ id }: Action): Failure => ({
      isFolded: looks.get(id) === 'folded',
      isUnfolded: looks.get(id) === 'unfolded',
      fold: () => setLooks((now) => new Map(now).set(id, 'folded')),
    }),
    unfold: () => setLooks((now) => new Map([...now, ...folded.map(({ id }) => [id, 'unfolded'] as const)])),
  };
}

const firstLookOf = (action: Action) => (serverNow() - endedAt(action) > wholeFor ? 'folded' : 'whole');

interface FoldedFailuresProps {
  actions: readonly Action[];
  onUnfold(): void;
  onDismiss(): void;
}

function FoldedFailures({ actions, onUnfold, onDismiss }: FoldedFailuresProps) {
  const sumOf = (some: readonly Action[]) => some.reduce((sum, { failed }) => sum + failed, 0);
  const failed = sumOf(actions.filter((action) => !hasOnlyKept(action)));
  return (
    <div className="line wraps undo-toasts-folded">
      <Button icon={failed > 0 ? 'warning' : 'undo'} aria-expanded={false} onClick={onUnfold}>
        {failed > 0 ? t.bulk.failed(failed) : t.activity.actions.undo_kept(sumOf(actions))}
        <span className="visually-hidden">
          : {joinList(actions.map((action) => labelsOf(action).failedLabel(action)))}
        </span>
      </Button>
      <IconButton icon="close" label={t.bulk.dismiss_failed} onClick={onDismiss} />
    </div>
  );
}

function FailedToast({ action, failure: { isFolded, isUnfolded, fold }, onShowFailed }: ToastProps) {
  const { dismiss } = useActionRequests();
  const { failed, changed } = action;
  const labels = labelsOf(action);
  const { active, handlers } = useHoverOrFocus();
  const foldNow = useEffectEvent(fold);
  useEffect(() => {
    const timer = isFolded || active ? undefined : setTimeout(() => foldNow(), wholeFor);
    return () => clearTimeout(timer);
  }, [isFolded, active]);
  // The button that unfolds it is removed by that.
  const firstButton = useFocusAfterRemoval<HTMLButtonElement>(isUnfolded);
  const reason = failed === 1 && reasonOf(action);
  if (isFolded) return null;
  return (
    <div {...handlers}>
      <Notice
        title={labels.failedLabel(action)}
        text={
          (changed > 0 || reason) && (
            <>
              {changed > 0 && <>{labels.doneLabel(action, changed)}. </>}
              {reason}
            </>
          )
        }
        tone={hasOnlyKept(action) ? 'plain' : 'bad'}
      >
        <Button ref={firstButton} size="small" onClick={() => onShowFailed(action)}>
          {t.bulk.show_failed}
        </Button>
        <IconButton icon="close" look="quiet" label={t.bulk.dismiss} onClick={() => void dismiss(action.id)} />
      </Notice>
    </div>
  );
}

/** Why the only item failed that did, with its name. */
function reasonOf({ kind, items, results, about }: Action): ReactNode {
  const at = results?.findIndex((result) => result) ?? -1;
  const item = items?.[at];
  const problem = results?.[at] ?? undefined;
  if (!item) return resultSentence(kind, problem);
  const answered = (kind === 'withdraw' || kind === 'answer') && 'id' in item ? item.id : undefined;
  return (
    <>
      <Bdi>{nameOfItem(item)}</Bdi>:{' '}
      {answered !== undefined && problem ? (
        <FailureReason item={{ id: answered }} box={'answer' in about ? 'received' : 'sent'} failure={{ problem }} />
      ) : (
        resultSentence(kind, problem)
      )}
    </>
  );
}
