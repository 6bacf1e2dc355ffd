/** Which records the items of an action concern. */
import type { Action, ActionItem } from '@swarmdeck/bff/contract';
import { effectOf } from './action-kinds.ts';
import type { ActionStore, Failure } from './action-store.ts';
import type { PendingItem } from './shown-actions.ts';

const idOf = (item: ActionItem) => ('id' in item && item.id) || '';

/** An action in which only these items are left, and one with the others. */
export function without(action: Action, ids: ReadonlySet<string> | undefined): Record<'left' | 'taken', Action> {
  const items = action.items as ActionItem[] | undefined;
  if (!items || !ids) return { left: action, taken: action };
  const select = (isTaken: boolean) => {
    const some = items.filter((item) => ids.has(idOf(item)) === isTaken);
    return { ...action, items: some, total: some.length } as Action;
  };
  return { left: select(false), taken: select(true) };
}

/** The index of the item of an action that concerns a record. */
function indexOf({ indexes }: ActionStore, action: Action, target: string): number | undefined {
  const { items, about } = action;
  const { targets } = effectOf(action);
  if (!items || !targets) return undefined;
  const index =
    indexes.get(items) ??
    new Map((items as ActionItem[]).flatMap((item, at) => targets(item, about).map((one) => [one, at] as const)));
  indexes.set(items, index);
  return index.get(target);
}

/** The action that a record is in. */
export function findPending(store: ActionStore, target: string): PendingItem | undefined {
  for (const action of store.shown) {
    const index = action.state === 'ended' ? undefined : indexOf(store, action, target);
    if (index === undefined) continue;
    const ids = store.undoing.get(action.id);
    const isUndoing = ids === null || (ids?.has(idOf(action.items![index]!)) ?? false);
    return { action, index, isUndoing };
  }
  return undefined;
}

/** Why the last action of a record has failed. */
export function findFailure(store: ActionStore, target: string): Failure | undefined {
  for (const action of store.shown.toReversed()) {
    const index = action.state === 'ended' ? indexOf(store, action, target) : undefined;
    if (index === undefined) continue;
    const problem = action.results?.[index];
    return problem ? { action, problem } : undefined;
  }
  return undefined;
}
