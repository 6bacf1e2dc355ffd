import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/buttons/button.tsx';
import { touch, useMedia } from '../../../ui/browser/media.ts';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { MemberChips } from './member-chips.tsx';
import { memberSorts } from './member-filters.ts';
import { useMemberFilters, useMemberSort } from './use-member-filters.ts';
import { useMembers } from './members-state.ts';

interface MembersToolsProps {
  /** The button that adds devices. */
  add: ReactNode;
  onSearch?: () => void;
}

/** Above the table: the search, the order, and the filters. `onSearch`: the focus is in the search. */
export function MembersTools({ add, onSearch }: MembersToolsProps) {
  const { handle, facets, searchField } = useMembers('list');
  const { filters, change } = useMemberFilters();
  return (
    <div className="stack members-tools">
      <div className="line members-find" onFocus={({ target }) => target === searchField.current && onSearch?.()}>
        <SearchField
          q={filters.q ?? ''}
          label={t.members.search}
          placeholder={t.members.search_hint}
          field={searchField}
          onLeave={() => handle.current?.focus()}
          onChange={(q) => change(({ q: _before, ...rest }) => (q === '' ? rest : { ...rest, q }))}
        />
        <SortMenu />
        <SelectButton />
        {add}
      </div>
      <MemberChips filters={filters} facets={facets} onChange={change} />
    </div>
  );
}

function SortMenu() {
  const { handle } = useMembers('list');
  const { sort: current, sortBy, mayBeSortedBy } = useMemberSort();
  const label = t.members.sort_by(t.members.sort[current]);
  return (
    <Menu
      label={label}
      items={memberSorts.filter(mayBeSortedBy).map((sort) => ({
        id: sort,
        label: t.members.sort[sort],
        checked: sort === current,
        onSelect: () => {
          sortBy(sort);
          handle.current?.scrollToTop();
        },
      }))}
      renderTrigger={(button) => <IconButton icon="sort" label={label} {...button} />}
    />
  );
}

/** With a finger, the checkboxes of rows are shown first. */
function SelectButton() {
  const isTouch = useMedia(touch);
  const { rows } = useMembers('list');
  const { checked, check } = useMembers('selection');
  if (!isTouch || rows.length === 0) return null;
  return (
    <IconButton
      icon="check"
      label={t.members.begin_selection}
      aria-pressed={checked.isActive}
      onClick={checked.isActive ? check.clear : check.begin}
    />
  );
}
