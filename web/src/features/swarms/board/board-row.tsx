import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatDays } from '../../../text/formats.ts';
import { formatDateTime, t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/lists/row-checkbox.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { rowClass } from '../../../ui/lists/row.tsx';
import { Time, useNow } from '../../../ui/texts/time.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { CodeLabel } from '../../../shared/code-label.tsx';
import { endOf } from '../../../shared/actions/answers.tsx';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { daysSince } from '../../../data/server-clock.ts';
import './board.css';

const icons = { new: 'clock', accepted: 'check', rejected: 'close' } as const;

/** A sent invitation in the table. */
export interface BoardRowProps {
  invitation: InvitationItem;
  isStale: boolean;
  tabIndex: 0 | -1;
  isChecked: boolean;
  /** `range`: select all rows from the last selected one to this one. */
  onToggle(range: boolean): void;
}

/** What the rows of a desk and of a phone have in common. `children`: the cells after that of the checkbox. */
export function BoardRowFrame({ row, children }: { row: BoardRowProps; children: ReactNode }) {
  const { invitation, isStale, tabIndex, isChecked, onToggle } = row;
  const { id, to } = invitation;
  const { pending, isSelectable } = useRowState(row);
  return (
    <div
      className={`${rowClass(isStale && 'stale', isChecked && 'checked')} board-row${pending ? ' board-row-pending' : ''}`}
    >
      <span role="cell" className="board-checkbox">
        {isSelectable && (
          <RowCheckbox
            tabIndex={tabIndex}
            data-row={id}
            label={<Rich text={t.board.select} to={<Bdi>{to}</Bdi>} />}
            checked={isChecked}
            onToggle={onToggle}
          />
        )}
      </span>
      {children}
    </div>
  );
}

function useRowState({ invitation: { id, status } }: BoardRowProps) {
  const pending = usePending(`invitation:${id}`);
  return { pending, isSelectable: status === 'new' && !pending };
}

/** In a row without a checkbox, this cell can get the focus, so that arrow keys reach every row. */
export function ToCell(row: BoardRowProps) {
  const { id, to } = row.invitation;
  const { isSelectable } = useRowState(row);
  return (
    <b role="cell" className="board-to one-line" {...(!isSelectable && { tabIndex: row.tabIndex, 'data-row': id })}>
      <Bdi className="one-line">{to}</Bdi>
    </b>
  );
}

/** Of a device that nobody has invited, how it has joined. */
export function StateCell({ invitation }: BoardRowProps) {
  const { status, joined_by, is_former_device } = invitation;
  return (
    <span role="cell" className={`board-state board-${status}`}>
      <Icon name={icons[status]} size={16} />
      <span className="board-state-words">
        {joined_by
          ? t.board.joined_by[joined_by]
          : status === 'rejected' && is_former_device
            ? t.invitations.not_accepted
            : t.invitations.done[status]}
      </span>
    </span>
  );
}

/** With the end of the membership. An offer of a later end is for the roles that the member has. */
export function RoleCell({ invitation }: BoardRowProps) {
  const { resource_type, is_later_end } = invitation;
  const ends_at = endOf(invitation);
  return (
    <span role="cell" className="board-role">
      {is_later_end ? (
        <span className="one-line board-later">{t.board.later_end}</span>
      ) : (
        <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
      )}
      {ends_at !== undefined && (
        <span className="quiet one-line board-end">
          <UntilDate at={ends_at} />
        </span>
      )}
    </span>
  );
}

/** In days from one week to two months, because it shows how long an answer has been missing. */
export function AgeCell({ invitation: { changed_at }, isStale }: BoardRowProps) {
  const days = daysSince(changed_at, useNow());
  return (
    <span role="cell" className={isStale ? 'board-age board-age-stale' : 'board-age'}>
      {days < 7 || days > 60 ? (
        <Time at={changed_at} form="age" />
      ) : (
        <time className="numbers" dateTime={changed_at} title={formatDateTime(changed_at)}>
          {formatDays(days)}
        </time>
      )}
    </span>
  );
}

/** The name of the device, as far as the swarm's owner may see it; or what its code says; or its shortened id. */
export function DeviceName({ invitation: { device, label, resource_id, is_former_device } }: BoardRowProps) {
  if (device) return <TruncateMiddle text={device.name} />;
  const name = label === undefined ? <ShortId id={resource_id} /> : <CodeLabel label={label} />;
  if (!is_former_device) return name;
  return (
    <>
      {name} <span title={t.board.former_text}>{t.board.former_device}</span>
    </>
  );
}
