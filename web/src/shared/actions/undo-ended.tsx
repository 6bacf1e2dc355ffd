import { useState, type ComponentProps } from 'react';
import type { Action, ActionKind } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../data/actions/actions.ts';
import { t } from '../../text/text.ts';
import { Button, type ButtonLook } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { nameOfItem } from './action-labels.tsx';
import { ActionSentence } from './action-sentence.tsx';

/** Whether it has ended and what it has replaced is still known. */
export const canUndoEnded = ({ can_undo, undone_by }: Action) => can_undo && undone_by === null;

/** Undoes an action that has ended, after a question. */
export function UndoEnded({ action, ...look }: { action: Action } & ButtonLook) {
  const { undo } = useActionRequests();
  const [isAsking, setAsking] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  if (!canUndoEnded(action)) return null;
  return (
    <>
      <Button {...look} busy={isUndoing} onClick={() => setAsking(true)}>
        {t.activity.actions.undo_button}
      </Button>
      {isAsking && (
        <UndoQuestion
          action={action}
          onConfirm={() => {
            setUndoing(true);
            // The server stores the inverse action with all its items first.
            void undo(action.id, undefined, action).finally(() => setUndoing(false));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

const DeletedRecords = lazyPart(async () => (await import('../deleted-records.tsx')).DeletedRecords);

const isDangerous: readonly ActionKind[] = ['import', 'add_member'];

/** What was recorded since an edit, which its undo deletes. */
function deletedBy(action: Action): ComponentProps<typeof DeletedRecords> | undefined {
  const item = action.kind === 'edit' ? action.items?.[0] : undefined;
  return item?.begins && { resource_id: item.id, fields: item.begins };
}

interface UndoQuestionProps {
  action: Action;
  onConfirm(): void;
  onClose(): void;
}

/** Says what comes back and what does not. */
export function UndoQuestion({ action, onConfirm, onClose }: UndoQuestionProps) {
  const say = t.activity.actions;
  const texts: Partial<Record<ActionKind, string>> = say.undo_text;
  const only = action.total === 1 ? action.items?.[0] : undefined;
  const deletes = deletedBy(action);
  return (
    <ConfirmDialog
      title={<Rich text={say.undo_title} action={<ActionSentence {...action} count={action.changed} />} />}
      description={`${texts[action.kind] ?? ''} ${say.undo_final}`.trim()}
      confirm={say.undo_confirm}
      isDangerous={isDangerous.includes(action.kind) || deletes !== undefined}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
      onClose={onClose}
    >
      {only && (
        <p className="strong one-line">
          <Bdi>{nameOfItem(only)}</Bdi>
        </p>
      )}
      {deletes && (
        <>
          <p>{say.undo_deletes}</p>
          <DeletedRecords {...deletes} />
        </>
      )}
    </ConfirmDialog>
  );
}
