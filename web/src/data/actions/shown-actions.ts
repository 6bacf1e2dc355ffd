/**
 * The actions that pages show. What starts and follows them (actions.ts) loads after the first view of a page: until then there
 * are none.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { createListeners } from '../listeners.ts';
import { oncePerClient } from '../of-client.ts';

/** An item of an action that has not ended. */
export interface PendingItem {
  action: Action;
  index: number;
  /** The request to undo it is on its way. */
  isUndoing: boolean;
}

/** Whether an action waits in this browser until the server can be reached. */
export const isPostponed = ({ state, runs_at }: Action) => state === 'pending' && runs_at === null;

type FindPending = (target: string) => PendingItem | undefined;

/**
 * A record shows that its action runs, not how far it is: otherwise each event of an action on thousands of records would
 * render all of their rows.
 */
function isSame(one: PendingItem | undefined, { index, isUndoing, action }: PendingItem): one is PendingItem {
  if (one?.index !== index || one.isUndoing !== isUndoing || action.state !== 'running') return false;
  return (['id', 'state', 'items', 'is_waiting'] as const).every((key) => one.action[key] === action[key]);
}

export const shownActionsOf = oncePerClient(createShownActions);

function createShownActions() {
  const { subscribe, notify } = createListeners();
  let shown: readonly Action[] = [];
  let findPending: FindPending = () => undefined;
  let pending = new Map<string, PendingItem | undefined>();
  let before = pending;
  let undoSeconds = 10;
  return {
    subscribe,
    list: () => shown,
    pendingOf(target: string) {
      if (!pending.has(target)) {
        const found = findPending(target);
        const last = before.get(target);
        pending.set(target, found && isSame(last, found) ? last : found);
      }
      return pending.get(target);
    },
    show(next: readonly Action[], find: FindPending) {
      shown = next;
      findPending = find;
      before = pending;
      pending = new Map();
      notify();
    },
    /** How long the next actions can be undone. */
    undoSeconds: () => undoSeconds,
    setUndoSeconds(seconds: number) {
      undoSeconds = seconds;
    },
  };
}

export const useShownActions = () => shownActionsOf({ client: useQueryClient() });

/** The user's actions that have not ended, and those that have failures; oldest first. */
export function useActions(): readonly Action[] {
  const { subscribe, list } = useShownActions();
  return useSyncExternalStore(subscribe, list);
}

/**
 * The action that a record is in. `target`: `resource:<id>`, `invitation:<id>`, `membership:<swarm_id>:<resource_id>`,
 * `swarm:<id>` or `view:<id>`.
 */
export function usePending(target: string): PendingItem | undefined {
  const { subscribe, pendingOf } = useShownActions();
  return useSyncExternalStore(subscribe, () => pendingOf(target));
}
