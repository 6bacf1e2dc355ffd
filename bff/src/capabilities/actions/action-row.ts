/** An action as it is stored, and its record of the wire format. */
import type { Action, ActionKind, ActionState } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import { takenByRestore } from '../../core/store/adopt-copy.ts';

export interface ActionRow {
  id: string;
  user_id: string;
  kind: ActionKind;
  about: string;
  state: ActionState;
  total: number;
  done: number;
  failed: number;
  /** Of those that failed: left as they are, wholly or in part, because they had changed since. */
  kept: number;
  undoable: number;
  /** In seconds: how long it can be undone before it begins. */
  wait: number;
  runs_at: string | null;
  created_at: string;
  ended_at: string | null;
  undone_by: string | null;
  retried_by: string | null;
  is_dismissed: number;
  /** The process that executes the action, or was the last one. Empty before the first batch, and after a pause. */
  taken_by: string;
  /** Until when no other process takes the action. If it is set although the action has ended, the last batch has no results yet. */
  taken_until: string;
}

export const columns = `id, user_id, kind, about, state, total, done, failed, kept, undoable, wait, runs_at, created_at, ended_at, undone_by, retried_by,
  is_dismissed, taken_by, taken_until`;

export const stateProblem = ({ state }: Pick<ActionRow, 'state'>) =>
  new Problem('action.state', { detail: `This is not possible: the action is ${state}` });

/** The record of the wire format, without items. */
export function actionOf(row: ActionRow, options: { isWaiting: boolean; canUndo: boolean; at: string }): Action {
  const { id, kind, about, total, done, failed, kept, runs_at, created_at, ended_at, undone_by, retried_by } = row;
  // An action without a wait cannot be undone before the runner takes it.
  const state = row.state === 'pending' && row.wait === 0 ? 'running' : row.state;
  return {
    id,
    kind,
    about: JSON.parse(about) as never,
    state,
    total,
    done,
    failed,
    ...(kept > 0 && { kept }),
    runs_at,
    created_at,
    ended_at,
    changed: options.canUndo ? row.undoable : done - failed,
    is_waiting: options.isWaiting && (state === 'running' || state === 'pending') && runs_at! <= options.at,
    can_undo: options.canUndo && state === 'ended' && row.undoable > 0 && undone_by === null,
    undone_by,
    ...(retried_by !== null && { retried_by }),
    ...(state === 'paused' && row.taken_by === takenByRestore && { is_restored: true }),
  };
}
