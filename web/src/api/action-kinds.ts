/**
 * The table of the kinds of actions: what each one is called on the screen, which records its items concern, and what it
 * changes. Each kind is registered by a module `<name>.action.tsx` of a feature, which app/undo-toasts.tsx imports.
 */
import type { ReactNode } from 'react';
import type { Action, ActionItem, ActionKind, ActionKinds, ActionOf } from '@swarmdeck/bff/contract';
import type { Change } from './changes.ts';
import { createListeners } from './listeners.ts';

export interface ActionEntry<Kind extends ActionKind> {
  /** While it is pending or runs: "Deleting Sensor 3", "Deleting 12 devices". */
  label(action: ActionOf<Kind>): ReactNode;
  /** When items were executed: "12 devices deleted". `changed`: how many of their records have changed. */
  doneLabel(action: ActionOf<Kind>, changed: number): ReactNode;
  /** "3 devices were not deleted". */
  failedLabel(action: ActionOf<Kind>): string;
  /** What an item concerns, for `usePending`: `resource:<id>`, `invitation:<id>`, `membership:<swarm>:<resource>`, … */
  targets?(item: ActionItem<Kind>, about: ActionKinds[Kind]['about']): string[];
  /** What has changed when it has ended, besides the events of the service. */
  changes?(action: ActionOf<Kind>): Change[];
}

const entries = new Map<ActionKind, ActionEntry<ActionKind>>();
const { subscribe, notify } = createListeners();

export const onActionKinds = subscribe;

export function registerAction<Kind extends ActionKind>(kind: Kind, entry: ActionEntry<Kind>): void {
  entries.set(kind, entry);
  notify();
}

/** Undefined until its module has been loaded. */
export const entryOf = ({ kind }: Pick<Action, 'kind'>) => entries.get(kind);
