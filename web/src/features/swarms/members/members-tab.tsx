import { useCallback, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink, IconButton, IconLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { useCommands } from '../../../ui/keys-provider.tsx';
import { lowest, touch, useMedia } from '../../../ui/media.ts';
import { Menu } from '../../../ui/menu.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Sheet, type Stop } from '../../../ui/sheet.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { readUrl } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { MemberChips } from './member-chips.tsx';
import { memberSorts, membersUrl } from './member-filters.ts';
import './members-tab.css';
import { MembersTable } from './members-table.tsx';
import { useMemberSelection, type MemberSelection } from './use-member-selection.ts';
import { MembersMapProvider, useMembers, type Members } from './use-members.ts';
import { AddMembers } from './add-members.tsx';

interface MembersTabProps {
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  /** On a phone they are in the sheet's header. */
  tabs: ReactNode;
  /** Of the members. */
  map: ReactNode;
}

/** The members beside their map, or on a phone in a sheet over it. */
export function MembersTab({ swarm, user_id, phone, tabs, map }: MembersTabProps) {
  const members = useMembers(swarm);
  const selection = useMemberSelection({ swarm_id: swarm.id, ...members });
  const isTouch = useMedia(touch);
  const isLow = useMedia(lowest);
  const [adding, setAdding] = useState(false);
  const stopAdding = useCallback(() => setAdding(false), []);
  const search = useRef<HTMLInputElement>(null);
  const rows = useRef<VirtualListHandle>(null);
  const mine = swarm.relation === 'owner';
  const step = (by: 1 | -1) => {
    // A second key may come before the first one has rendered.
    const { selected: selectedId } = readUrl(membersUrl);
    const at = members.rows.findIndex(({ id }) => id === selectedId);
    const next = members.rows[at + by] ?? members.rows[at];
    if (!next) return;
    members.select(next);
    // Enter then opens the row that J selected instead of pressing the focused chip.
    rows.current?.focus(next.id);
  };
  useCommands('members', {
    search: () => search.current?.focus(),
    next: () => step(1),
    previous: () => step(-1),
    focus_map: () => members.map.current?.focus(),
    focus_list: () => rows.current?.focus(),
    fit: () => members.map.current?.fit(),
    select({ shiftKey }) {
      const id = rows.current?.focused() ?? members.selected?.id;
      if (id !== undefined) selection.toggle(id, shiftKey);
    },
    clear() {
      if (selection.isActive) selection.clear();
      else members.onMap.onSelect(null);
    },
  });
  const [stop, setStop] = useState<Stop>('half');
  const [covered, setCovered] = useState(0);
  const { selected } = members;
  useCommands('selected_member', selected && { open: () => members.open(selected) });
  const list = (
    <>
      <div className="members-head">
        {tabs}
        <div className="stack members-tools">
          <div
            className="line members-find"
            // The on-screen keyboard leaves no space for rows at half height.
            onFocus={({ target }) => target === search.current && setStop('list')}
          >
            <SearchField
              q={members.filters.q ?? ''}
              label={t.members.search}
              placeholder={t.members.search_hint}
              field={search}
              onLeave={() => rows.current?.focus()}
              onChange={(q) => members.changeFilters(({ q: _before, ...rest }) => (q === '' ? rest : { ...rest, q }))}
            />
            <Menu
              label={t.members.sort_by(t.members.sort[members.sort])}
              items={memberSorts.map((sort) => ({
                id: sort,
                label: t.members.sort[sort],
                checked: sort === members.sort,
                onSelect: () => {
                  members.changeSort(sort);
                  rows.current?.scrollToTop();
                },
              }))}
              renderTrigger={(button) => (
                <IconButton icon="sort" label={t.members.sort_by(t.members.sort[members.sort])} {...button} />
              )}
            />
            {isTouch && members.rows.length > 0 && (
              <IconButton
                icon="check"
                label={t.members.begin_selection}
                aria-pressed={selection.isActive}
                onClick={selection.isActive ? selection.clear : selection.begin}
              />
            )}
            {mine && (
              <Button icon="plus" onClick={() => setAdding(true)}>
                {phone ? <span className="visually-hidden">{t.members.add}</span> : t.members.add}
              </Button>
            )}
          </div>
          <MemberChips filters={members.filters} facets={members.facets} onChange={members.changeFilters} />
        </div>
      </div>
      <MemberTable {...{ members, swarm, user_id, phone, mine, rows, selection }} onAdd={() => setAdding(true)} />
    </>
  );
  return (
    <div className="members">
      <div key={members.emptied} className="members-map" inert={phone && stop === 'list' && !isLow}>
        <MembersMapProvider {...members.onMap} handle={members.map} covered={phone ? covered : 0}>
          {map}
        </MembersMapProvider>
        {phone && (
          <div className="members-wall">
            <IconLink icon="system" to={`/swarms/${swarm.id}/map`} label={t.swarms.wall} />
          </div>
        )}
      </div>
      {phone ? (
        <Sheet label={t.members.table} handleLabel={t.members.sheet} stop={stop} onStop={setStop} onHeight={setCovered}>
          {list}
        </Sheet>
      ) : (
        <section className="column members-list" aria-label={t.members.table}>
          {list}
        </section>
      )}
      {adding && <AddMembers swarm={swarm} onClose={stopAdding} />}
    </div>
  );
}

interface MemberTableProps {
  members: Members;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  mine: boolean;
  rows: RefObject<VirtualListHandle | null>;
  selection: MemberSelection;
  onAdd(): void;
}

function MemberTable({ members, swarm, user_id, phone, mine, rows, selection, onAdd }: MemberTableProps) {
  const { query } = members;
  const isAdding = useActions().some(
    (action) => action.kind === 'add_member' && action.state !== 'ended' && action.about.swarm.id === swarm.id,
  );
  if (query.isPending) return <SkeletonRows count={10} label={t.swarms.loading} />;
  if (query.error && members.rows.length === 0) {
    return <LoadFailed title={t.members.error_title} query={query} />;
  }
  if (members.rows.length === 0 && members.filtered) {
    return (
      <Empty icon="search" title={t.members.no_match_title} text={t.members.no_match_text}>
        <Button onClick={() => members.changeFilters(() => ({}))}>{t.members.clear}</Button>
      </Empty>
    );
  }
  if (members.rows.length === 0 && isAdding) {
    return <Empty icon="device" title={t.members.adding_title} text={t.members.adding_text} />;
  }
  if (members.rows.length === 0) {
    return (
      <Empty icon="device" title={t.members.empty_title} text={t.members.empty_text}>
        {mine && (
          <div className="line">
            <Button icon="plus" onClick={onAdd}>
              {t.members.add}
            </Button>
            <ButtonLink look="primary" icon="send" to={`/invite?swarm=${swarm.id}`}>
              {t.swarms.invite}
            </ButtonLink>
          </div>
        )}
      </Empty>
    );
  }
  return <MembersTable {...{ members, swarm, user_id, phone, selection }} handle={rows} />;
}
