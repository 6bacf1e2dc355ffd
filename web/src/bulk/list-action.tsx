/**
 * Actions on selected rows, for the menu of their list. Each one declares its texts and fields, which items it concerns,
 * and the action that it starts.
 */
import { useState, type ComponentType, type ReactNode } from 'react';
import type { ActionFilter, ActionItem, ActionKind, ActionKinds } from '@swarmdeck/bff/contract';
import { useActionRequests, type StartOptions } from '../api/actions.ts';
import type { IconName } from '../ui/icon.tsx';

/** The texts of an action. `count` is a number of items. */
export interface ActionTexts {
  menu: string;
  title(count: number): string;
  text: string;
  /** Of the items that are left out. */
  others(count: number): string;
  confirm(count: number): string;
}

/** What an action is applied to: items that were read, or what matches a filter, of which only the number is known. */
export interface Items<Item> {
  items: readonly Item[];
  filter?: ActionFilter | undefined;
  count: number;
}

export interface FieldsProps<Item, About> extends Items<Item> {
  /** Undefined until the user has chosen. */
  about: About | undefined;
  onChange(about: About | undefined): void;
}

export interface ListActionOptions<Item, About extends object, Kind extends ActionKind> {
  /** Its name in the menu. */
  name: string;
  kind: Kind;
  texts(): ActionTexts;
  icon: IconName;
  isDangerous?: boolean;
  /** From this number of items on, the user confirms the number by typing it. */
  typedFrom?: number;
  /** What is chosen from the start. */
  initial?: About;
  Fields?: ComponentType<FieldsProps<Item, About>>;
  /** More lines of the summary. */
  Summary?: ComponentType<Items<Item>>;
  /** The others are left out. By default, all. */
  concerns?(item: Item, about: About): boolean;
  /** The items are always read, because the browser knows better which of them it concerns. */
  readsItems?: boolean;
  aboutOf(about: About, items: readonly Item[]): ActionKinds[Kind]['about'];
  itemOf(item: Item): ActionItem<Kind>;
}

/** An action on selected items, for the menu of their selection. */
export interface BulkAction<Item> {
  name: string;
  texts(): ActionTexts;
  icon: IconName;
  isDangerous: boolean;
  typedFrom?: number | undefined;
  /** It uses `SelectedItems.file` if there is one, and the items are not read. */
  usesFile?: boolean;
  /** It uses `SelectedItems.filter` if there is one, and the items are not read. */
  usesFilter?: boolean;
  Dialog: ComponentType<ActionDialogProps<Item>>;
}

/** A file with the selected items that the server writes. */
export interface ServerFile {
  path(format: string): string;
  count: number;
}

export interface ActionDialogProps<Item> extends Items<Item> {
  file?: ServerFile | undefined;
  /** With `filter`: some of the items, of which the rows are marked. */
  loaded(): readonly Item[];
  /** Draws the dialog. */
  render(parts: ActionParts): ReactNode;
}

export interface ActionParts {
  /** How many items are changed, and how many are left out. Null until the user has chosen. */
  concerned: { count: number; others: number } | null;
  fields: ReactNode;
  summary: ReactNode;
  run(): void;
}

export function createListAction<Item, About extends object, Kind extends ActionKind>({
  kind,
  initial,
  Fields,
  Summary,
  concerns = () => true,
  readsItems = false,
  aboutOf,
  itemOf,
  isDangerous = false,
  ...rest
}: ListActionOptions<Item, About, Kind>): BulkAction<Item> {
  function ActionDialog({ items, filter, count, loaded, render }: ActionDialogProps<Item>) {
    const { start } = useActionRequests();
    const [about, setAbout] = useState(initial);
    const concerned = about && items.filter((item) => concerns(item, about));
    const concernedCount = filter ? count : concerned?.length;
    return render({
      concerned:
        about && concernedCount !== undefined ? { count: concernedCount, others: count - concernedCount } : null,
      fields: Fields && <Fields {...{ about, items, filter, count }} onChange={setAbout} />,
      summary: Summary && concerned && <Summary {...{ filter, count }} items={concerned} />,
      run() {
        if (!about || !concerned) return;
        const matching = filter && { filter, expected: count };
        const started = { kind, about: aboutOf(about, items), items: (filter ? loaded() : concerned).map(itemOf) };
        void start({ ...started, ...matching } as unknown as StartOptions);
      },
    });
  }
  return { ...rest, isDangerous, usesFilter: !readsItems, Dialog: ActionDialog };
}
