import type { ReactNode } from 'react';
import type { ActionItem, ActionKind, ActionKinds, ActionOf, ActionResult } from '@swarmdeck/bff/contract';
import type { ActionEntry } from '../api/action-kinds.ts';
import { problemSentence } from '../text/text.ts';
import { Bdi, Rich } from '../ui/rich.tsx';

/** The texts of a kind. They may contain placeholders; `count` is a number of items. */
export interface KindTexts {
  one: string;
  one_done: string;
  many(count: number): string;
  many_done(count: number): string;
  failed(count: number): string;
}

/**
 * The labels of a kind: with the names of an action of one item, otherwise with the number of items. `names` fills the
 * placeholders.
 */
export function actionLabels<Kind extends ActionKind>(
  texts: () => KindTexts,
  names: (about: ActionKinds[Kind]['about'], item: ActionItem<Kind> | undefined) => Record<string, string>,
): Pick<ActionEntry<Kind>, 'label' | 'doneLabel' | 'failedLabel'> {
  function label({ about, items, total }: ActionOf<Kind>, one: string, many: string): ReactNode {
    const item = total === 1 ? items?.[0] : undefined;
    const isolated = Object.entries(names(about, item)).map(([name, text]) => [name, <Bdi key={name}>{text}</Bdi>]);
    return <Rich text={item ? one : many} {...(Object.fromEntries(isolated) as Record<string, ReactNode>)} />;
  }
  return {
    label: (action) => label(action, texts().one, texts().many(action.total)),
    doneLabel: (action, changed) => label(action, texts().one_done, texts().many_done(changed)),
    failedLabel: ({ failed }) => texts().failed(failed),
  };
}

/** Why an item failed. */
export const resultSentence = (result: ActionResult | undefined) =>
  result ? problemSentence({ code: result.code, ...(result.detail !== undefined && { detail: result.detail }) }) : '';

/** The name of an item for a list: of a record, or the line of a file or text. */
export const nameOfItem = (item: ActionItem) => ('name' in item ? item.name : item.to);
