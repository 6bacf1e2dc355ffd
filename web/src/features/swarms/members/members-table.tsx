import { useEffect, useRef, type RefObject } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { SelectionMenu } from '../../../bulk/bulk-dialog.tsx';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { atTextSize, touch, useMedia } from '../../../ui/media.ts';
import { PagedList } from '../../../ui/paged-list.tsx';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { managesSwarm } from '../swarm-rights.ts';
import { useMemberCommands } from './member-commands.tsx';
import { MemberRow } from './member-row.tsx';
import '../../../ui/table.css';
import './members-table.css';
import '../../../ui/row-link.css';
import type { MemberSelection } from './use-member-selection.ts';
import type { Members } from './use-members.ts';

interface MembersTableProps {
  members: Members;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  selection: MemberSelection;
  handle: RefObject<VirtualListHandle | null>;
}

export function MembersTable({ members, swarm, user_id, phone, selection, handle }: MembersTableProps) {
  const tall = useMedia(touch);
  const commands = useMemberCommands({ swarm, user_id, onOpen: members.open });
  // Scrolls to the member of a link.
  const isFirst = useRef(true);
  const selected = members.selected?.id;
  useEffect(() => {
    if (isFirst.current && selected !== undefined) handle.current?.reveal(selected);
    isFirst.current = false;
  }, [selected, handle]);
  // The ages are those of changes only until a member is heard.
  const isHeadHidden = phone || selection.isActive;
  return (
    <>
      {selection.isActive && (
        <SelectionBar selection={selection} list={handle}>
          <SelectionMenu
            {...selection}
            commands={commands}
            filter={managesSwarm(swarm) ? selection.filter : undefined}
            onRun={({ isDangerous }) => isDangerous && selection.clear()}
          />
        </SelectionBar>
      )}
      <div
        role="table"
        aria-label={t.members.table}
        aria-rowcount={(selection.total ?? -2) + 1}
        className="members-table"
      >
        <div role="row" className={isHeadHidden ? 'visually-hidden' : 'quiet columns members-columns'}>
          <span role="columnheader" className="members-all">
            {isHeadHidden ? (
              t.members.selected
            ) : (
              <RowCheckbox
                label={t.devices.selection.all(formatNumber(selection.total ?? 0))}
                checked={false}
                onToggle={selection.selectAll}
              />
            )}
          </span>
          <span role="columnheader">{t.members.device}</span>
          {!phone && (
            <span role="columnheader" className="muted member-owner one-line">
              {t.members.owner}
            </span>
          )}
          <span role="columnheader">{t.members.role}</span>
          {!phone && (
            <span role="columnheader" className="muted member-age">
              {t.members.heard}
            </span>
          )}
          <span role="columnheader" className="visually-hidden">
            {t.members.actions}
          </span>
        </div>
        <PagedList
          isTable
          handle={handle}
          keepPlace
          label={t.members.table}
          items={members.rows}
          query={members.query}
          rowHeight={atTextSize(phone || tall ? 64 : 48)}
          renderItem={(member, tabIndex) => (
            <MemberRow
              {...{ member, swarm, user_id, phone, tabIndex, selection, commands }}
              selected={member.id === selected}
              hovered={member.id === members.hovered}
              onSelect={() => members.select(member)}
              onOpen={() => members.open(member)}
              onHover={members.setHovered}
            />
          )}
        />
      </div>
    </>
  );
}
