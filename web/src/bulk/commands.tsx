/**
 * What the user may do to one row of a list, or to all selected rows. A list declares all of its commands in one table, in
 * the order of its menus: that of a row (`lines`), and that of the selected rows (`Dialog`). The commands on a card or on a
 * page are in `ui/commands.ts`.
 */
import { useState, type ComponentType, type ReactNode } from 'react';
import type { ActionFilter, ActionItem, ActionKind, ActionKinds } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../data/actions/actions.ts';
import type { StartOptions } from '../data/actions/action-store.ts';
import type { Command } from '../ui/commands.ts';
import type { IconName } from '../ui/icon.tsx';

export interface RowCommand<Item> extends Pick<Command, 'id' | 'isDangerous'> {
  icon: IconName;
  /** Its lines in the menu of a row: none if it does not apply to the item. */
  lines?: ((item: Item) => readonly CommandLine[]) | undefined;
}

export interface CommandLine {
  label: string;
  run(): void;
  /** Asks before it runs. */
  Confirm?: ComponentType<{ onConfirm(): void; onClose(): void }> | undefined;
}

/** The texts of a command on selected items. `count` is a number of items. */
export interface CommandTexts {
  menu: string;
  title(count: number): string;
  text: string;
  /** Of the items that are left out. */
  others(count: number): string;
  confirm(count: number): string;
}

/** What a command is applied to: items that were read, or what matches a filter, of which only the number is known. */
export interface Items<Item> {
  items: readonly Item[];
  filter?: ActionFilter | undefined;
  count: number;
}

interface FieldsProps<Item, About> extends Items<Item> {
  /** Undefined until the user has chosen. */
  about: About | undefined;
  onChange(about: About | undefined): void;
}

interface BulkCommandOptions<Item, About extends object, Kind extends ActionKind> extends RowCommand<Item> {
  /** The action that it starts. */
  kind: Kind;
  texts(): CommandTexts;
  /** From this number of items on, the user confirms the number by typing it. */
  typedFrom?: number;
  /** What is chosen from the start. By default nothing if there are fields. */
  initial?: About;
  Fields?: ComponentType<FieldsProps<Item, About>>;
  /** More lines of the summary. */
  Summary?: ComponentType<Items<Item>>;
  /** The others are left out. By default, all. */
  concerns?(item: Item, about: About): boolean;
  /** The items are always read, because the browser knows better which of them it concerns. */
  readsItems?: boolean;
  /** By default what was chosen. */
  aboutOf?(about: About): ActionKinds[Kind]['about'];
  /** By default its `id` and `name`. */
  itemOf?(item: Item): ActionItem<Kind>;
}

/** A command that can be applied to selected items. */
export interface BulkCommand<Item> extends RowCommand<Item> {
  texts(): CommandTexts;
  typedFrom?: number | undefined;
  /** It uses at most so many of the items, and no more are read. The others are counted. */
  atMost?: number;
  /** It uses `SelectedItems.file` if there is one, and the items are not read. */
  usesFile?: boolean;
  /** It uses `SelectedItems.filter` if there is one, and the items are not read. */
  usesFilter?: boolean;
  Dialog: ComponentType<CommandDialogProps<Item>>;
}

/** A file with the selected items that the server writes. */
export interface ServerFile {
  path(format: string): string;
  count: number;
}

interface CommandDialogProps<Item> extends Items<Item> {
  file?: ServerFile | undefined;
  /** With `filter`: some of the items, of which the rows are marked. */
  loaded(): readonly Item[];
  /** Draws the dialog. */
  render(parts: CommandParts): ReactNode;
  onClose(): void;
}

export interface CommandParts {
  /** How many items are changed, and how many are left out. Null until the user has chosen. */
  concerned: { count: number; others: number } | null;
  fields: ReactNode;
  summary: ReactNode;
  /** If it is given, the dialog does not close when it runs: the command shows the result. */
  isBusy?: boolean;
  run(): void;
}

/** A command on selected items that starts one action for all of them. */
export function createBulkCommand<
  Item extends { id: string; name?: string },
  About extends object,
  Kind extends ActionKind,
>({
  kind,
  Fields,
  Summary,
  initial = Fields ? undefined : ({} as About),
  concerns = () => true,
  readsItems = false,
  aboutOf = (about) => about,
  itemOf = ({ id, name }) => ({ id, name }) as ActionItem<Kind>,
  ...rest
}: BulkCommandOptions<Item, About, Kind>): BulkCommand<Item> {
  function CommandDialog({ items, filter, count, loaded, render }: CommandDialogProps<Item>) {
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
        const started = { kind, about: aboutOf(about), items: (filter ? loaded() : concerned).map(itemOf) };
        void start({ ...started, ...matching } as unknown as StartOptions);
      },
    });
  }
  return { ...rest, usesFilter: !readsItems, Dialog: CommandDialog };
}
