import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { formatDateTime, formatDays, t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { rowClass } from '../../../ui/row.tsx';
import { Time, useNow } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { CodeLabel } from '../../../shared/code-label.tsx';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { daysSince } from '../../../data/server-clock.ts';
import { BoardRowCommands } from './board-row-commands.tsx';
import type { BoardCommand } from './board-commands.tsx';
import './board.css';

const icons = { new: 'clock', accepted: 'check', rejected: 'close' } as const;

interface Props {
  invitation: InvitationItem;
  swarm: SwarmItem;
  stale: boolean;
  phone: boolean;
  tabIndex: 0 | -1;
  commands: readonly BoardCommand[];
  checked: boolean;
  /** `range`: select all rows from the last selected one to this one. */
  onToggle(range: boolean): void;
}

/** One sent invitation: user, device, state and actions. */
export function BoardRow(props: Props) {
  const { invitation, swarm, stale, phone, tabIndex, commands, checked, onToggle } = props;
  const pending = usePending(`invitation:${invitation.id}`);
  const { to, device, label, resource_id, resource_type, status, changed_at, description } = invitation;
  const state = (
    <span className={`board-state board-${status}`}>
      <Icon name={icons[status]} size={16} />
      {t.board.state[status]}
    </span>
  );
  const what = device ? (
    <TruncateMiddle text={device.name} />
  ) : label !== undefined ? (
    <CodeLabel label={label} />
  ) : (
    <code dir="ltr" title={resource_id}>
      {resource_id.slice(0, 8)}…{resource_id.slice(-4)}
    </code>
  );
  const role = <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />;
  const age = (
    <span className={stale ? 'board-age board-age-stale' : 'board-age'}>
      <Age at={changed_at} />
    </span>
  );
  const className = `${rowClass(stale && 'stale', checked && 'checked')} board-row${pending ? ' board-row-pending' : ''}`;
  const isSelectable = status === 'new' && !pending;
  // A row without a checkbox can get the focus itself, so that arrow keys reach every row.
  const focus = isSelectable ? {} : { tabIndex, 'data-row': invitation.id };
  const checkbox = (
    <span className="board-checkbox">
      {isSelectable && (
        <RowCheckbox
          tabIndex={tabIndex}
          data-row={invitation.id}
          label={<Rich text={t.board.select} to={<Bdi>{to}</Bdi>} />}
          checked={checked}
          onToggle={onToggle}
        />
      )}
    </span>
  );
  const buttons = <BoardRowCommands {...{ invitation, swarm, commands, phone, pending }} tabIndex={tabIndex} />;
  if (phone) {
    return (
      <div className={className} {...focus}>
        {checkbox}
        <span className="line board-line">
          <span className="board-who">
            <b className="one-line">
              <bdi className="one-line">{to}</bdi>
            </b>{' '}
            · {what}
          </span>
          {age}
        </span>
        <span className="line board-line">
          {state}
          {role}
          <span className="line gap-1 board-actions">{buttons}</span>
        </span>
      </div>
    );
  }
  return (
    <div className={className} {...focus}>
      {checkbox}
      {state}
      <b className="board-to one-line">
        <bdi className="one-line">{to}</bdi>
      </b>
      <span className="board-device one-line">{what}</span>
      <span>{role}</span>
      {age}
      <span className="board-message one-line" title={description}>
        {description ? (
          <bdi className="one-line">
            <Rich text={t.invitations.facts.quote} message={description} />
          </bdi>
        ) : (
          t.board.no_message
        )}
      </span>
      <span className="line gap-1 board-actions">{buttons}</span>
    </div>
  );
}

/** In days from one week to two months, because it shows how long an answer has been missing. */
function Age({ at }: { at: string }) {
  const days = daysSince(at, useNow());
  if (days < 7 || days > 60) return <Time at={at} form="age" />;
  return (
    <time className="numbers" dateTime={at} title={formatDateTime(at)}>
      {formatDays(days)}
    </time>
  );
}
