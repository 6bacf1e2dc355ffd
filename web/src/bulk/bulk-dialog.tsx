import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ActionFilter } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { queryKeys } from '../data/cache/query-keys.ts';
import { formatNumber, t } from '../text/text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { useMenuItems } from '../ui/dialogs/command-menu.tsx';
import type { CommandId, RunsOf, SelectionScope } from '../ui/keys/commands.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { Icon } from '../ui/symbols/icon.tsx';
import { useCommands } from '../ui/keys/keys-provider.tsx';
import { LoadFailedNote } from '../ui/pages/load-failed.tsx';
import { Menu } from '../ui/dialogs/menu.tsx';
import type { Selection } from '../ui/lists/selection.ts';
import { useClosing } from '../ui/dialogs/use-closing.ts';
import type { BulkCommand, CommandParts, ServerFile } from './commands.tsx';
import '../ui/pages/progress.css';
import './bulk.css';

/** What a dialog acts on. */
export interface SelectedItems<Item> {
  selection: Pick<Selection, 'all' | 'ids'>;
  /** As far as it is known before the items are read. */
  count: number;
  /** If the server can write all of them into a file. */
  file?: ServerFile | undefined;
  /** If the server can read them itself: they are all that match, except some. */
  filter?: ActionFilter | undefined;
  /** The selected items that the list has loaded. */
  loaded?(): readonly Item[];
  /** Returns the selected items as they are now, the first `atMost` of them. Those that no longer exist are left out. */
  read(options: { atMost?: number | undefined; signal: AbortSignal; onProgress(read: number): void }): Promise<Item[]>;
}

interface SelectionMenuProps<Scope extends SelectionScope, Item> {
  scope: Scope;
  commands: Readonly<Record<CommandId<Scope>, BulkCommand<Item>>>;
  /** How many items are selected. */
  count: number;
  /** Opens the dialog of a command. The page has it, because this menu is another one when a phone is turned. */
  onOpen(command: BulkCommand<Item>): void;
}

/** The menu of commands on the selected items. The palette has them too. */
export function SelectionMenu<Scope extends SelectionScope, Item>({
  scope,
  commands,
  count,
  onOpen,
}: SelectionMenuProps<Scope, Item>) {
  const runs = Object.values<BulkCommand<Item>>(commands).map((each) => [each.id, () => onOpen(each)]);
  const items = useMenuItems(useCommands(scope, count === 0 ? null : (Object.fromEntries(runs) as RunsOf<Scope>)));
  return (
    <Menu
      label={t.bulk.menu}
      items={items}
      renderTrigger={(button) => (
        <Button size="row" look="plain" disabled={count === 0} {...button}>
          {t.bulk.menu}
          <Icon name="down" size={16} />
        </Button>
      )}
    />
  );
}

interface BulkDialogProps<Item> extends SelectedItems<Item> {
  command: BulkCommand<Item>;
  onRun?: (() => unknown) | undefined;
  onClose(): void;
}

/** Reads the selected items, and says what the command does to how many of them before anything is sent. */
export function BulkDialog<Item>({ command, onRun, onClose, ...selected }: BulkDialogProps<Item>) {
  const [wanted] = useState(selected);
  const [read, setRead] = useState(0);
  const file = command.usesFile ? wanted.file : undefined;
  // Fewer are read, so that the dialog can say more about them.
  const filter = command.usesFilter && wanted.count > actionLimits.part ? wanted.filter : undefined;
  const isRead = !file && !filter;
  const found = useQuery({
    queryKey: queryKeys.selectedItems(useId()),
    queryFn: ({ signal }) => wanted.read({ atMost: command.atMost, signal, onProgress: setRead }),
    enabled: isRead,
    // What the dialog says does not change while the user reads it.
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  const items = isRead ? found.data : [];
  const toRead = Math.min(wanted.count, command.atMost ?? Infinity);
  if (!items) {
    const text = command.texts();
    return (
      <Dialog
        size="small"
        title={text.title(wanted.count)}
        description={text.text}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t.shell.kit.cancel}</Button>}
      >
        {found.error === null ? (
          <Reading read={Math.min(read, toRead)} of={toRead} />
        ) : (
          <LoadFailedNote title={`${t.bulk.not_read}.`} query={found} />
        )}
      </Dialog>
    );
  }
  const isCut = toRead < wanted.count;
  const missing = wanted.selection.all || isCut ? 0 : wanted.selection.ids.size - items.length;
  const total = isRead ? items.length : wanted.count;
  const render = (parts: CommandParts) => (
    <Question command={command} parts={parts} total={total} missing={missing} onRun={onRun} onClose={onClose} />
  );
  const count = isRead && !isCut ? items.length : wanted.count;
  return (
    <command.Dialog
      items={items}
      file={file}
      filter={filter}
      count={count}
      loaded={wanted.loaded ?? (() => [])}
      render={render}
      onClose={onClose}
    />
  );
}

/** How many of the items are read. */
function Reading({ read, of }: { read: number; of: number }) {
  const reading = t.bulk.reading(formatNumber(read), formatNumber(of));
  return (
    <output className="stack muted numbers">
      <progress max={of} value={read} aria-label={reading} />
      {reading}
    </output>
  );
}

interface QuestionProps<Item> extends Pick<BulkDialogProps<Item>, 'command' | 'onRun' | 'onClose'> {
  parts: CommandParts;
  /** The number of items, until it is known how many of them are changed. */
  total: number;
  /** How many of the selected items no longer exist. */
  missing: number;
}

/** What the command does to how many items, with the button that runs it. */
function Question<Item>({ command, parts, total, missing, onRun, onClose }: QuestionProps<Item>) {
  const { concerned, fields, summary, isBusy, closingNote, outcome, run } = parts;
  const [typed, setTyped] = useState('');
  const text = command.texts();
  const { confirm = text.confirm } = parts;
  const count = concerned?.count ?? 0;
  const title = text.title(count || total);
  const close = useClosing({ busy: isBusy, closingNote, outcome, title, onClose });
  const mustType = command.typedFrom !== undefined && count >= command.typedFrom;
  // With or without the separators of the user's language.
  const isTyped = typed.replace(/\D/g, '') === String(count);
  return (
    <Dialog
      size="small"
      {...(command.isDangerous && { role: 'alertdialog' as const })}
      title={title}
      description={text.text}
      onClose={close}
      busy={isBusy === true}
      footer={
        <>
          <Button
            look={command.isDangerous ? 'danger-primary' : 'primary'}
            {...(command.isDangerous && { icon: command.icon })}
            sends
            disabled={isBusy || count === 0 || (mustType && !isTyped)}
            onClick={() => {
              run();
              onRun?.();
              if (isBusy === undefined) onClose();
            }}
          >
            {confirm(concerned?.count ?? total)}
          </Button>
          <Button data-autofocus={command.isDangerous || undefined} onClick={close}>
            {isBusy ? t.shell.kit.close : t.shell.kit.cancel}
          </Button>
        </>
      }
    >
      <div className="stack gap-4 bulk-body">
        {fields}
        {summary}
        {mustType && (
          <TextField
            label={t.bulk.type_count(formatNumber(count))}
            inputMode="numeric"
            data-stored
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {concerned && (concerned.others > 0 || missing > 0 || concerned.count === 0) && (
          <output className="stack gap-1 muted">
            {concerned.count === 0 && <p>{t.bulk.none}</p>}
            {concerned.others > 0 && <p>{text.others(concerned.others)}</p>}
            {missing > 0 && <p>{t.bulk.missing(missing)}</p>}
          </output>
        )}
      </div>
    </Dialog>
  );
}
