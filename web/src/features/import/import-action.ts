import type { Action, ActionOf } from '@swarmdeck/bff/contract';

export type ImportAction = ActionOf<'import'>;

export const isImport = (action: Action): action is ImportAction => action.kind === 'import';
