import { memo } from 'react';
import type { KeyboardEvent } from 'react';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import '../invitation-row.css';
import type { RowProps } from '../invitation-row.tsx';
import { deviceName } from '../device-name.ts';
import './history-row.css';

/** An invitation that was answered, and when. */
export const HistoryRow = memo(function HistoryRow(props: Omit<RowProps, 'ticked'>) {
  const { item, box, row, count, offset, height, selected, tabStop, actions } = props;
  const user = box === 'received' ? item.from : item.to;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !actions.goByKey(event.key)) return;
    event.preventDefault();
  };
  return (
    <li
      className={`invitation${selected ? ' invitation-selected' : ''}`}
      style={{ insetBlockStart: offset, blockSize: height }}
      aria-setsize={count}
      aria-posinset={row + 1}
    >
      <button
        type="button"
        className="invitation-main invitation-past"
        data-id={item.id}
        tabIndex={tabStop ? 0 : -1}
        aria-current={selected || undefined}
        onClick={() => actions.select(item)}
        onKeyDown={onKeyDown}
        onFocus={() => actions.focused(item.id)}
      >
        <Icon name={item.status === 'accepted' ? 'check' : 'close'} size={16} />
        <span className="invitation-past-words">
          <span className="invitation-asking">
            <bdi className="invitation-past-user" title={user}>
              {user}
            </bdi>{' '}
            ·{' '}
            {item.device ? (
              <span className="invitation-past-device">
                <TruncateMiddle text={item.device.name} />
              </span>
            ) : (
              <i>{box === 'received' ? deviceName(item) : t.invitations.their_device}</i>
            )}
          </span>
          <span className="invitation-past-swarm">
            <Bdi>{item.swarm.name}</Bdi> · {t.shell.roles[item.resource_type]}
          </span>
        </span>
        <span className="invitation-past-end">
          {t.invitations.done[item.status]}
          <Time at={item.changed_at} />
        </span>
      </button>
    </li>
  );
});
