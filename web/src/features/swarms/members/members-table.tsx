import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { atTextSize, touch, useMedia } from '../../../ui/media.ts';
import { VirtualList, listRows } from '../../../ui/virtual-list.tsx';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { MemberRow } from './member-row.tsx';
import './members-table.css';
import type { Members } from './use-members.ts';

export function MembersTable({
  members,
  swarm,
  user_id,
  phone,
  handle,
}: {
  members: Members;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  handle: RefObject<VirtualListHandle | null>;
}) {
  const tall = useMedia(touch);
  const { rows, query } = members;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  // Scrolls to the member of a link.
  const isFirst = useRef(true);
  const selected = members.selected?.id;
  useEffect(() => {
    if (isFirst.current && selected !== undefined) handle.current?.reveal(selected);
    isFirst.current = false;
  }, [selected, handle]);
  return (
    <>
      {!phone && (
        <div className="columns members-columns" aria-hidden="true">
          <span>{t.members.device}</span>
          <span className="member-owner">{t.members.owner}</span>
          <span>{t.members.role}</span>
          <span className="member-age">{t.members.changed}</span>
        </div>
      )}
      <VirtualList
        handle={handle}
        keepPlace
        sections={[
          {
            label: t.members.table,
            rows: listRows(rows),
            rowHeight: atTextSize(phone || tall ? 64 : 48),
            onVisible({ end }) {
              if (end >= rows.length - 26 && hasNextPage && !isFetching && !isError) void fetchNextPage();
            },
            renderRow(row, tabIndex) {
              const member = rows[row];
              return (
                member && (
                  <MemberRow
                    {...{ member, swarm, user_id, phone, tabIndex }}
                    selected={member.id === selected}
                    hovered={member.id === members.hovered}
                    onSelect={() => members.select(member)}
                    onOpen={() => members.open(member)}
                    onHover={members.setHovered}
                  />
                )
              );
            },
          },
        ]}
      />
    </>
  );
}
