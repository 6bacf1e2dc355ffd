import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { SelectionBar } from '../../../bulk/list-selection.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { atTextSize, touch, useMedia } from '../../../ui/media.ts';
import { PagedList } from '../../../ui/virtual-list.tsx';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { MemberActions } from './member-actions.tsx';
import { MemberRow } from './member-row.tsx';
import './members-table.css';
import type { MemberSelection } from './use-member-selection.ts';
import type { Members } from './use-members.ts';

export function MembersTable({
  members,
  swarm,
  user_id,
  phone,
  selection,
  handle,
}: {
  members: Members;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  selection: MemberSelection;
  handle: RefObject<VirtualListHandle | null>;
}) {
  const tall = useMedia(touch);
  // Scrolls to the member of a link.
  const isFirst = useRef(true);
  const selected = members.selected?.id;
  useEffect(() => {
    if (isFirst.current && selected !== undefined) handle.current?.reveal(selected);
    isFirst.current = false;
  }, [selected, handle]);
  return (
    <>
      {selection.isActive && (
        <SelectionBar selection={selection} list={handle}>
          <MemberActions {...{ swarm, user_id, selection }} />
        </SelectionBar>
      )}
      {!phone && !selection.isActive && (
        <div className="columns members-columns">
          <RowCheckbox
            label={t.devices.selection.all(formatNumber(selection.total ?? 0))}
            checked={false}
            onToggle={selection.selectAll}
          />
          <span aria-hidden="true">{t.members.device}</span>
          <span aria-hidden="true" className="member-owner one-line">
            {t.members.owner}
          </span>
          <span aria-hidden="true">{t.members.role}</span>
          <span aria-hidden="true" className="member-age">
            {t.members.changed}
          </span>
        </div>
      )}
      <PagedList
        handle={handle}
        keepPlace
        label={t.members.table}
        items={members.rows}
        query={members.query}
        rowHeight={atTextSize(phone || tall ? 64 : 48)}
        renderItem={(member, tabIndex) => (
          <MemberRow
            {...{ member, swarm, user_id, phone, tabIndex, selection }}
            selected={member.id === selected}
            hovered={member.id === members.hovered}
            onSelect={() => members.select(member)}
            onOpen={() => members.open(member)}
            onHover={members.setHovered}
          />
        )}
      />
    </>
  );
}
