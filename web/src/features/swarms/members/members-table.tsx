import { useCallback, useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { touch, useMedia } from '../../../ui/media.ts';
import { atTextSize } from '../../../ui/text-size.ts';
import { WindowedRows } from '../windowed-rows.tsx';
import type { RowsHandle } from '../windowed-rows.tsx';
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
  handle: RefObject<RowsHandle | null>;
}) {
  const tall = useMedia(touch);
  const { rows, query } = members;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  // who comes by a link to one member finds its row
  const first = useRef(true);
  const at = rows.findIndex(({ id }) => id === members.selected?.id);
  useEffect(() => {
    if (first.current && at > 0) handle.current?.reveal(at);
    first.current = false;
  }, [at, handle]);
  return (
    <>
      {!phone && (
        <div className="members-columns" aria-hidden="true">
          <span className="member-device">{t.members.device}</span>
          <span className="member-owner">{t.members.owner}</span>
          <span className="member-role">{t.members.role}</span>
          <span className="member-age">{t.members.changed}</span>
        </div>
      )}
      <WindowedRows
        label={t.members.table}
        count={rows.length}
        rowHeight={atTextSize(phone || tall ? 64 : 48)}
        handle={handle}
        onNearEnd={loadMore}
        renderRow={(frame) => {
          const member = rows[frame.row];
          if (!member) return null;
          return (
            <MemberRow
              key={member.id}
              {...{ member, swarm, user_id, phone, frame }}
              selected={member.id === members.selected?.id}
              hovered={member.id === members.hovered}
              onSelect={() => members.select(member)}
              onOpen={() => members.open(member)}
              onHover={members.setHovered}
            />
          );
        }}
      />
    </>
  );
}
