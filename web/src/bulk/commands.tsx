/**
 * What the user may do to the selected rows of a list, and to one row. The commands on selected rows are in the table of all
 * commands (ui/keys/commands.ts): here is what they do, in a dialog. The menu of a row has a line for each way to do one of them to
 * the row (`lines`), and lines of its own.
 */
import type { ComponentType, ReactNode } from 'react';
import type { ActionFilter } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../data/actions/actions.ts';
import type { StartOptions } from '../data/actions/action-store.ts';
import { commands, type Command, type CommandFacts, type CommandId, type SelectionScope } from '../ui/keys/commands.ts';
import type { IconName } from '../ui/symbols/icon.tsx';
import type { ClosingOptions } from '../ui/dialogs/use-closing.ts';

export interface RowCommand<Item, Context = never> extends Pick<Command, 'id' | 'isDangerous'> {
  icon: IconName;
  /** Its lines in the menu of a row: none if it does not apply to the item. `context`: what the list knows besides the item. */
  lines?: ((item: Item, context: Context) => readonly CommandLine[]) | undefined;
}

export interface CommandLine {
  label: string;
  run(): void;
  /** Draws the question before it runs. */
  ask?: ((asking: { onConfirm(): void; onClose(): void }) => ReactNode) | undefined;
}

/** The texts of the dialog of a command on selected items. `count` is a number of items. */
export interface CommandTexts {
  title(count: number): string;
  text: string;
  /** How many items are left out. */
  others(count: number): string;
  confirm(count: number): string;
}

/** What a command is applied to: items that were read, or what matches a filter, of which only the number is known. */
export interface Items<Item> {
  items: readonly Item[];
  filter?: ActionFilter | undefined;
  count: number;
}

/** What a command on selected items does. */
export interface SelectionCommand<Item, Context = never> extends Pick<RowCommand<Item, Context>, 'lines'> {
  texts(): CommandTexts;
  /** From this number of items on, the user confirms the number by typing it. */
  typedFrom?: number | undefined;
  /** It uses at most so many of the items, and no more are read. The others are counted. */
  atMost?: number;
  /** It uses `SelectedItems.file` if there is one, and the items are not read. */
  usesFile?: boolean;
  /** It uses `SelectedItems.filter` if there is one, and the items are not read. */
  usesFilter?: boolean;
  Dialog: ComponentType<CommandDialogProps<Item>>;
}

/** A command with all that the table of commands knows of it. */
export type BulkCommand<Item, Context = never> = SelectionCommand<Item, Context> & RowCommand<Item, Context>;

/** The commands on the selected rows of a list, by their ids, in the order of the table of all commands. */
export function selectionCommands<Scope extends SelectionScope, Does extends object>(
  scope: Scope,
  does: Readonly<Record<CommandId<Scope>, Does>>,
) {
  const facts = Object.entries<CommandFacts>(commands[scope]);
  return Object.fromEntries(
    facts.map(([id, known]) => [id, { ...does[id as CommandId<Scope>], ...known, id }]),
  ) as Record<CommandId<Scope>, Does & Pick<RowCommand<never>, 'id' | 'icon' | 'isDangerous'>>;
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
  /** What its button says, if it is not that of the command. */
  confirm?: ((count: number) => string) | undefined;
  /** Said if the dialog is closed while it is busy. */
  closingNote?: string;
  /** Said if it was closed while it was busy, and that has succeeded. By default, that it is done. */
  outcome?: ClosingOptions['outcome'];
  run(): void;
}

/** What the server executes on each of these, if it needs only their names. */
export const namedItems = (items: readonly { id: string; name: string }[]) =>
  items.map(({ id, name }) => ({ id, name }));

interface ActionDialogProps<Item, About> {
  dialog: CommandDialogProps<Item>;
  /** What the user has chosen. Undefined until then. */
  about: About | undefined;
  /** The others are left out. By default, all. */
  concerns?: (item: Item, about: About) => boolean;
  actionOf(items: readonly Item[], about: About): StartOptions;
  /** The server has the action, or this browser, which sends it later: what was typed need not be kept. */
  onStored?(): void;
  fields?: ReactNode;
  confirm?: CommandParts['confirm'];
  /** More lines of the summary, about those that it concerns. */
  Summary?: ComponentType<Items<Item>>;
}

const concernsAll = () => true;

/** The dialog of a command that starts one action for all selected items. */
export function ActionDialog<Item, About>({
  dialog: { items, filter, count, loaded, render },
  about,
  concerns = concernsAll,
  actionOf,
  onStored,
  fields,
  confirm,
  Summary,
}: ActionDialogProps<Item, About>) {
  const { start } = useActionRequests();
  if (about === undefined) return render({ concerned: null, fields, summary: null, run: () => undefined });
  const concerned = items.filter((item) => concerns(item, about));
  const concernedCount = filter ? count : concerned.length;
  return render({
    concerned: { count: concernedCount, others: count - concernedCount },
    fields,
    confirm,
    summary: Summary && <Summary items={concerned} filter={filter} count={count} />,
    run: () =>
      void start(
        {
          ...actionOf(filter ? loaded() : concerned, about),
          ...(filter && { filter, expected: count }),
        },
        crypto.randomUUID(),
        onStored,
      ),
  });
}
