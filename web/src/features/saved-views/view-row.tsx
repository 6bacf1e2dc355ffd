import { useEffect, useEffectEvent, useRef } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { usePendingPhase } from '../../api/pending-actions.ts';
import { t } from '../../text/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Link } from '../../ui/router.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import { isSameView, partsOf, viewPageOf } from './view-url.ts';
import { SummaryText } from './summary-text.tsx';
import { deletionKey } from './use-view-actions.ts';
import type { ViewActions } from './use-view-actions.ts';

/** One saved view: a link and its actions. */
export function ViewRow({
  view,
  shown,
  actions,
  onRename,
  onOpened,
}: {
  view: SavedView;
  /** The URL of the current view; null if the page cannot be saved. */
  shown: string | null;
  actions: ViewActions;
  onRename(): void;
  onOpened(): void;
}) {
  const deletion = usePendingPhase(deletionKey(view.id));
  const row = useRef<HTMLLIElement>(null);
  const leaving = deletion !== undefined;
  // The focused button is replaced by others.
  const keepFocus = useEffectEvent((_leaving: boolean) => {
    if (document.activeElement === document.body) row.current?.querySelector<HTMLElement>('a, button')?.focus();
  });
  useEffect(() => keepFocus(leaving), [leaving]);
  const current = shown !== null && isSameView(view.url, shown);
  const wall = viewPageOf(partsOf(view.url).pathname)?.kind === 'wall';
  if (leaving) {
    return (
      <li ref={row} className="view-row view-row-leaving">
        <span className="view-open">
          <Icon name="trash" />
          <span className="view-words">
            <span className="view-name">
              <TruncateMiddle text={view.name} />
            </span>
            <span className="view-summary">{t.views.deleting_row}</span>
          </span>
        </span>
        <Button size="small" look="accent" disabled={deletion === 'sending'} onClick={() => actions.undoRemove(view)}>
          {t.views.undo}
        </Button>
      </li>
    );
  }
  return (
    <li ref={row} className="view-row">
      <Link to={view.url} className="view-open" aria-current={current || undefined} onClick={onOpened}>
        <Icon name={wall ? 'system' : 'list'} />
        <span className="view-words">
          <span className="view-name">
            <TruncateMiddle text={view.name} />
          </span>
          <span className="view-summary">
            <SummaryText shown={view} />
          </span>
        </span>
        {current && (
          <span className="view-here">
            <Icon name="check" />
            <span className="visually-hidden">{t.views.here}</span>
          </span>
        )}
      </Link>
      <Menu
        label={t.views.more(view.name)}
        items={[
          {
            id: 'update',
            label: t.views.update,
            icon: 'check',
            disabled: shown === null || current,
            onSelect: () => shown !== null && actions.update(view, shown),
          },
          { id: 'rename', label: t.views.rename, icon: 'edit', onSelect: onRename },
          { id: 'link', label: t.views.copy_link, icon: 'copy', onSelect: () => actions.copyLink(view) },
          { id: 'delete', label: t.views.delete, icon: 'trash', danger: true, onSelect: () => actions.remove(view) },
        ]}
        renderTrigger={(button) => <IconButton icon="more" look="quiet" label={t.views.more(view.name)} {...button} />}
      />
    </li>
  );
}
