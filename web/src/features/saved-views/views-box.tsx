import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { errorParts } from '../../api/problem.ts';
import { formatNumber, problemSentence, t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { savedViewsQuery } from './saved-views.api.ts';
import { useViewActions } from './use-view-actions.ts';
import { ViewRow } from './view-row.tsx';
import './views-box.css';

interface ViewsBoxProps {
  shown: string | null;
  wall: boolean;
  onSave(): void;
  onRename(view: SavedView): void;
  /** Called when a view was opened. */
  onOpened(): void;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/** The list of the user's views in all states, with a button to save another one. */
export function ViewsBox({ shown, wall, onSave, onRename, onOpened }: ViewsBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const query = useQuery(savedViewsQuery);
  const actions = useViewActions();
  const { items, limit = null } = query.data ?? {};
  const full = items !== undefined && limit !== null && items.length >= limit;

  const known = items !== undefined;
  const begin = useEffectEvent((there: boolean) => {
    const element = box.current;
    // Does not move the focus if the user has moved it.
    if (!there || !element || element.contains(document.activeElement)) return;
    (element.querySelector<HTMLElement>('[aria-current]') ?? element.querySelector<HTMLElement>('a, button'))?.focus();
  });
  useEffect(() => begin(known), [known]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const list = [...(box.current?.querySelectorAll<HTMLElement>('a.view-open, .views-foot button') ?? [])];
    if (!step || list.length === 0) return;
    const row = document.activeElement?.closest('.view-row')?.querySelector('.view-open');
    const at = list.indexOf((row ?? document.activeElement) as HTMLElement);
    list[step(at, list.length - 1)]?.focus();
    event.preventDefault();
  };

  return (
    <div ref={box} className="views-box" onKeyDown={onKeyDown} role="presentation">
      {items && items.length > 0 && (
        <ul className="views-list" aria-label={t.views.list}>
          {items.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              shown={shown}
              actions={actions}
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
      {query.isError && !items && (
        <div role="alert">
          <Empty icon="cloud-off" level={3} title={t.views.failed} text={problemSentence(errorParts(query.error))}>
            <Button onClick={() => void query.refetch()}>{t.views.retry}</Button>
          </Empty>
        </div>
      )}
      <div className="views-foot">
        <Button
          look="primary"
          icon="plus"
          wide
          disabled={full || shown === null || items === undefined}
          onClick={onSave}
        >
          {t.views.save}
        </Button>
        {full && limit !== null && <p className="views-full">{t.views.full(formatNumber(limit))}</p>}
      </div>
    </div>
  );
}
