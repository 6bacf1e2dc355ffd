import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { actionHistoryQuery } from '../data/actions/action-history.ts';
import { isKnownKind } from '../data/actions/action-kinds.ts';
import { useActionRequests } from '../data/actions/actions.ts';
import { useActions } from '../data/actions/shown-actions.ts';
import { ActionSentence } from '../shared/actions/action-sentence.tsx';
import { canUndoEnded, UndoQuestion } from '../shared/actions/undo-ended.tsx';
import { t } from '../text/text.ts';
import { useErrorToast, useToasts } from '../ui/toasts/toast.tsx';

export const lastPending = (actions: readonly Action[]) => actions.findLast(({ state }) => state === 'pending');

/** Undoes the last pending action. Without one, it asks about the newest one that can be undone. */
export function UndoLast({ onClose }: { onClose(): void }) {
  const { undo } = useActionRequests();
  const pending = lastPending(useActions());
  const [id] = useState(pending?.id);
  const undoPending = useEffectEvent(() => {
    if (id === undefined) return;
    void undo(id);
    onClose();
  });
  useEffect(() => undoPending(), []);
  return id === undefined && <UndoNewest onClose={onClose} />;
}

/** Asks whether to undo the newest ended action that can be undone. If there is none, it says so, and why. */
function UndoNewest({ onClose }: { onClose(): void }) {
  const { undo } = useActionRequests();
  const { show } = useToasts();
  const showError = useErrorToast();
  const { data, error, isFetchedAfterMount } = useInfiniteQuery({ ...actionHistoryQuery, refetchOnMount: 'always' });
  const actions = isFetchedAfterMount && data ? data.pages[0]!.actions.filter(isKnownKind) : undefined;
  const newest = actions?.find(canUndoEnded);
  const sayWhy = useEffectEvent(() => {
    const last = actions?.[0];
    if (!actions) showError(error);
    else show({ title: t.activity.nothing_to_undo, ...(last && { text: <LastAction action={last} /> }) });
    onClose();
  });
  const hasNone = !newest && (actions !== undefined || error !== null);
  useEffect(() => {
    if (hasNone) sayWhy();
  }, [hasNone]);
  return (
    newest && (
      <UndoQuestion action={newest} onConfirm={() => void undo(newest.id, undefined, newest)} onClose={onClose} />
    )
  );
}

function LastAction({ action }: { action: Action }) {
  const { undone, not_undoable } = t.activity;
  return (
    <>
      <ActionSentence {...action} count={action.changed} />. {action.undone_by === null ? not_undoable : undone}
    </>
  );
}
