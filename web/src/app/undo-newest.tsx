import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { actionHistoryQuery } from '../api/action-history.ts';
import { isKnownKind } from '../api/action-kinds.ts';
import { useActionRequests } from '../api/actions.ts';
import { ActionSentence } from '../bulk/action-sentence.tsx';
import { canUndoEnded, UndoQuestion } from '../bulk/undo-ended.tsx';
import { t } from '../text/text.ts';
import { useErrorToast, useToasts } from '../ui/toast.tsx';

/** Asks whether to undo the newest ended action that can be undone. If there is none, it says so, and why. */
export function UndoNewest({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const { undo } = useActionRequests();
  const { show } = useToasts();
  const showError = useErrorToast();
  const [found, setFound] = useState<Action | null>(null);
  const start = useEffectEvent(async () => {
    try {
      const { pages } = await client.fetchInfiniteQuery({ ...actionHistoryQuery, staleTime: 0, pages: 1 });
      const actions = pages[0]!.actions.filter(isKnownKind);
      const newest = actions.find(canUndoEnded);
      if (newest) return setFound(newest);
      const last = actions[0];
      show({
        title: t.activity.nothing_to_undo,
        ...(last && { text: <LastAction action={last} /> }),
      });
    } catch (error) {
      showError(error);
    }
    return onClose();
  });
  useEffect(() => void start(), []);
  return (
    found && <UndoQuestion action={found} onConfirm={() => void undo(found.id, undefined, found)} onClose={onClose} />
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
