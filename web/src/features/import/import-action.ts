import type { Action, ActionOf } from '@swarmdeck/bff/contract';

export type ImportAction = ActionOf<'import'>;

export const isImport = (action: Action): action is ImportAction => action.kind === 'import';

/** Whether it imports this file, and had not ended before the file was chosen. With what corrections it did then, nobody knows. */
export const isImportOf = (action: Action, { hash, at }: { hash: string; at: number }): action is ImportAction =>
  isImport(action) && action.about.hash === hash && (action.ended_at === null || Date.parse(action.ended_at) >= at);
