import { memo } from 'react';
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
  const { item, box, selected, tabIndex, actions } = props;
  const user = box === 'received' ? item.from : item.to;
  return (
    <div className={`invitation${selected ? ' invitation-selected' : ''}`}>
      <button
        type="button"
        className="invitation-main invitation-past"
        data-row={item.id}
        tabIndex={tabIndex}
        aria-current={selected || undefined}
        onClick={() => actions.select(item)}
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
    </div>
  );
});
