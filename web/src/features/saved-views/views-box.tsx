import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { ProblemError } from '../../data/problem.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { savedViewsQuery, useSaveView } from './saved-views.api.ts';
import './views-box.css';
import { UndoButton } from '../../shared/actions/undo-button.tsx';
import { useActionRequests } from '../../data/actions/actions.ts';
import { usePending } from '../../data/actions/shown-actions.ts';
import { Icon } from '../../ui/symbols/icon.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { itemAt, MoreMenu } from '../../ui/dialogs/menu.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { usePreference } from '../../ui/browser/preference.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { TruncateMiddle } from '../../ui/texts/truncate-middle.tsx';
import { viewRotation } from './use-view-rotation.ts';
import { isSameView, partsOf, viewPageOf } from './view-url.ts';
import { SummaryText } from './summary-text.tsx';
import { savedViewLimits } from '@swarmdeck/bff/capabilities/saved-views';
import { LineField } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { nameError } from '../../data/text-errors.ts';
import { Rich } from '../../ui/texts/rich.tsx';
import { useErrorToast, useToasts } from '../../ui/toasts/toast.tsx';
import { foldName, suggestName, type Summarised } from './view-summary.ts';
import { shareItems } from '../../ui/browser/share.ts';
import { useCopy } from '../../ui/buttons/use-copy.ts';
import { useFocusRestore } from '../../ui/browser/use-focus-restore.ts';

interface ViewsBoxProps {
  commands: ViewCommands;
  shown: string | null;
  wall: boolean;
  onSave(): void;
  onRename(view: SavedView): void;
  /** Called when a view was opened. */
  onOpened(): void;
}

/** The list of the user's views in all states, with a button to save another one. */
export function ViewsBox({ commands, shown, wall, onSave, onRename, onOpened }: ViewsBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const query = useQuery(savedViewsQuery);
  const { items, limit = null } = query.data ?? {};
  const full = items !== undefined && limit !== null && items.length >= limit;

  const rotation = usePreference(viewRotation);
  const known = items !== undefined;
  const begin = useEffectEvent((there: boolean) => {
    const element = box.current;
    // Does not move the focus if the user has moved it.
    if (!there || !element || element.contains(document.activeElement)) return;
    (element.querySelector<HTMLElement>('[aria-current]') ?? element.querySelector<HTMLElement>('a, button'))?.focus();
  });
  useEffect(() => begin(known), [known]);

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('a.view-open, .views-foot button') ?? [])];
    const row = document.activeElement?.closest('.view-row')?.querySelector('.view-open');
    const at = items.indexOf((row ?? document.activeElement) as HTMLElement);
    const next = itemAt({ items, at, key: event.key });
    if (!next) return;
    next.focus();
    event.preventDefault();
  };

  return (
    <div ref={box} className="column" onKeyDown={onKeyDown} role="presentation">
      {items && items.length > 0 && (
        <ul className="views-list" aria-label={t.views.list}>
          {items.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              shown={shown}
              commands={commands}
              onRename={() => onRename(view)}
              onOpened={onOpened}
            />
          ))}
        </ul>
      )}
      {items?.length === 0 && (
        <Empty
          icon="bookmark"
          level={3}
          title={t.views.none}
          text={wall ? t.views.none_text_wall : t.views.none_text}
        />
      )}
      {query.isPending && <SkeletonRows count={3} badge={false} label={t.views.loading} />}
      {query.isError && !items && <LoadFailed level={3} title={t.views.failed} query={query} />}
      <div className="stack views-foot">
        {wall && items && items.length > 0 && (
          <Switch
            label={t.views.rotate}
            checked={rotation === 'on'}
            onChange={(on) => viewRotation.set(on ? 'on' : 'off')}
          />
        )}
        <Button
          look="primary"
          icon="plus"
          wide
          disabled={full || shown === null || items === undefined}
          onClick={onSave}
        >
          {t.views.save}
        </Button>
        {full && limit !== null && <p className="quiet">{t.views.full(formatNumber(limit))}</p>}
      </div>
    </div>
  );
}

interface ViewRowProps {
  view: SavedView;
  /** The URL of the current view; null if the page cannot be saved. */
  shown: string | null;
  commands: ViewCommands;
  onRename(): void;
  onOpened(): void;
}

/** One saved view: a link and its commands. */
function ViewRow({ view, shown, commands, onRename, onOpened }: ViewRowProps) {
  const deletion = usePending(`view:${view.id}`);
  const row = useRef<HTMLLIElement>(null);
  // The focused button is replaced by others.
  const focusRestore = useFocusRestore(() => row.current?.querySelector<HTMLElement>('a, button')?.focus());
  const current = shown !== null && isSameView(view.url, shown);
  const wall = viewPageOf(partsOf(view.url).pathname)?.kind === 'wall';
  const words = (
    <span className="fill view-words">
      <span className="view-name">
        <TruncateMiddle text={view.name} />
      </span>
      <span className="quiet one-line">{deletion ? t.views.deleting_row : <SummaryText shown={view} />}</span>
    </span>
  );
  if (deletion) {
    return (
      <li ref={row} className="line gap-1 hoverable view-row view-row-leaving" {...focusRestore}>
        <span className="line gap-3 fill view-open">
          <Icon name="trash" />
          {words}
        </span>
        <UndoButton pending={deletion} size="small" />
      </li>
    );
  }
  return (
    <li ref={row} className="line gap-1 hoverable view-row" {...focusRestore}>
      <Link to={view.url} className="line gap-3 fill view-open" aria-current={current || undefined} onClick={onOpened}>
        <Icon name={wall ? 'system' : 'list'} />
        {words}
        {current && (
          <span className="view-here">
            <Icon name="check" />
            <span className="visually-hidden">{t.views.here}</span>
          </span>
        )}
      </Link>
      <MoreMenu
        look="quiet"
        label={t.views.more(view.name)}
        items={[
          {
            id: 'update',
            label: t.views.update,
            icon: 'check',
            disabled: shown === null || current,
            onSelect: () => shown !== null && commands.update(view, shown),
          },
          { id: 'rename', label: t.views.rename, icon: 'edit', onSelect: onRename },
          { id: 'link', label: t.views.copy_link, icon: 'copy', onSelect: () => commands.copyLink(view) },
          ...shareItems({ title: view.name, url: `${location.origin}${view.url}` }),
          { id: 'delete', label: t.views.delete, icon: 'trash', danger: true, onSelect: () => commands.remove(view) },
        ]}
      />
    </li>
  );
}

/** Saves the current view under a name; with `view`, renames it. */
export function ViewForm({ shown, view, onClose }: { shown: Summarised; view?: SavedView; onClose(): void }) {
  const toasts = useToasts();
  const save = useSaveView();
  const others = (useQuery(savedViewsQuery).data?.items ?? []).filter((each) => each.id !== view?.id);
  // Null until the user types: the names that are suggested may still load.
  const [typed, setName] = useState<string | null>(null);
  const name = typed ?? view?.name ?? suggestName({ shown, taken: others.map((each) => each.name) });
  const [errors, setErrors] = useState<{ name?: string }>({});
  const namesake = others.find((each) => foldName(each.name) === foldName(name));
  const taken = errors.name === t.views.form.taken;
  const { undo } = useActionRequests();
  const deletion = usePending(`view:${namesake?.id}`);

  const send = (body: { id?: string; name?: string; url?: string }) =>
    save.mutate(body, {
      onSuccess: () => {
        toasts.show({ title: view ? t.views.form.renamed : t.views.form.saved, icon: 'check' });
        onClose();
      },
      onError: (error) => {
        if (error instanceof ProblemError && error.code === 'saved_view.name_taken')
          setErrors({ name: t.views.form.taken });
      },
    });
  const submit = () => {
    // An answer may be lost, and the same name is not suggested again.
    setName(name);
    // The server answers with the view that it has saved.
    const isSaved = !view && !deletion && namesake?.name === name.trim() && namesake.url === shown.url;
    const found =
      nameError(name.trim(), savedViewLimits.nameLength) ?? (namesake && !isSaved ? t.views.form.taken : undefined);
    setErrors(found ? { name: found } : {});
    if (!found) send(view ? { id: view.id, name } : { name, url: shown.url });
  };
  const replace = () => {
    if (!namesake) return;
    if (deletion) void undo(deletion.action.id);
    send({ id: namesake.id, name, url: shown.url });
  };
  return (
    <FormDialog
      title={view ? t.views.form.rename : t.views.form.title}
      description={view ? undefined : <Rich text={t.views.form.shows} summary={<SummaryText shown={shown} />} />}
      submit={t.views.form.save}
      busy={save.isPending}
      errors={errors}
      buttons={
        taken &&
        namesake &&
        !view && (
          <span className="quiet to-end">
            <Button busy={save.isPending} onClick={replace}>
              {t.views.form.replace}
            </Button>
          </span>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <LineField
        label={t.views.form.name}
        data-autofocus
        autoComplete="off"
        value={name}
        error={errors.name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value);
          if (errors.name) setErrors({});
        }}
      />
      <FormError error={!taken && save.error} />
    </FormDialog>
  );
}

/** The commands on a view that need no form. For a component that stays when the list of views closes. */
export function useViewCommands() {
  const { start } = useActionRequests();
  const toasts = useToasts();
  const copy = useCopy();
  const save = useSaveView();
  const showError = useErrorToast();

  return {
    /**
     * Replaces the view by the current one. The toast has an Undo button, because the previous URL is stored nowhere
     * else.
     */
    update({ id, url: before }: SavedView, url: string) {
      const onError = (error: unknown) => showError(error, t.views.not_updated);
      const undo = { label: t.shell.kit.undo, onAction: () => save.mutate({ id, url: before }, { onError }) };
      const onSuccess = () => void toasts.show({ title: t.views.updated, icon: 'check', action: undo, seconds: 10 });
      save.mutate({ id, url }, { onSuccess, onError });
    },
    copyLink: ({ url }: SavedView) => copy(`${location.origin}${url}`, t.views.copied),
    remove: ({ id, name }: SavedView) => void start({ kind: 'delete_view', about: {}, items: [{ id, name }] }),
  };
}

type ViewCommands = ReturnType<typeof useViewCommands>;
