/** Starts actions whose items the server reads: a whole list, the failed items of an action, or the items that an undo changes back. */
import { createOneAtATime } from '../../core/limits/one-at-a-time.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { fillAction } from './action-items.store.ts';
import type { ActionRow } from './action-row.ts';
import {
  changeAction,
  createAction,
  findAction,
  removeAction,
  requireAction,
  requireNotFollowed,
  type Followed,
  type NewAction,
} from './actions.store.ts';
import type { StoredItem } from './chunks.store.ts';
import { isOnlyProcess } from './executor.ts';

/** Seconds after which an action that is being filled is not filled by another process any more. */
const filledFor = 60;

/** `expected`: the number of items that the user has seen. */
type FilledAction = NewAction & { expected?: number; follows?: Followed };

export interface Filling {
  db: Database;
  /** The time in so many seconds. */
  at: (seconds: number) => string;
  /** The runner looks for actions that may be executed. */
  wake: () => void;
  report: (error: unknown) => void;
}

/**
 * Returns a function that stores the items that `source` yields, and starts the action. An action without items is deleted.
 * A repeated request gets that action, in the state `uploading` while another process fills it.
 */
export function createFilledActions(filling: Filling) {
  /** The actions that this process fills, by user and id. */
  const current = new Map<string, Promise<ActionRow>>();
  /** One fill of a user at a time: each may have the ids of all open items of the user in memory. */
  const inTurn = createOneAtATime();
  return (action: FilledAction, source: AsyncIterable<StoredItem[]>): Promise<ActionRow> => {
    const key = `${action.user_id} ${action.id}`;
    const fill = () => inTurn(action.user_id, () => fillAndStart(filling, action, source));
    const started = current.get(key) ?? fill().finally(() => current.delete(key));
    current.set(key, started);
    return started;
  };
}

export type StartFilled = ReturnType<typeof createFilledActions>;

async function fillAndStart(
  { db, at, wake, report }: Filling,
  action: FilledAction,
  source: AsyncIterable<StoredItem[]>,
): Promise<ActionRow> {
  const { id, user_id: user, kind, wait, expected, follows } = action;
  const known = await findAction(db, id);
  if (known) {
    // A new one may be filled by another process now.
    const isOld = isOnlyProcess({ db }) || known.created_at < at(-filledFor);
    const isOwn = known.state === 'uploading' && known.user_id === user && known.kind === kind;
    if (!isOwn || !isOld) return requireAction(db, { id, user });
    await removeAction(db, { id, user });
  }
  // Another undo or retry of the same action may have been filled while this one waited for its turn.
  if (follows) await requireNotFollowed(db, { ...follows, user });
  const { row, isNew } = await createAction(db, { action, at });
  if (!isNew) return row;
  try {
    const total = await fillAction(db, action, source);
    if (expected !== undefined && total !== expected) {
      const errors = [{ pointer: '/expected', code: 'action.count_changed', detail: String(total) }];
      throw new Problem('action.count_changed', { errors });
    }
    const started = await changeAction(db, {
      id,
      user,
      from: ['uploading'],
      to: { state: 'pending', total, runs_at: at(wait) },
      ...(follows && { follows }),
    });
    wake();
    return started;
  } catch (error) {
    // Another process may have taken it over and started it.
    await removeAction(db, { id, user }, ['uploading']).catch((fault: unknown) => {
      if (!(fault instanceof Problem)) report(fault);
    });
    throw error;
  }
}
