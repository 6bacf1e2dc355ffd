import { memo } from 'react';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Row } from '../../../ui/row.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import type { RowProps } from '../invitation-row.tsx';
import { deviceName } from '../device-name.ts';
import '../invitation-row.css';

/** An answered invitation. */
export const HistoryRow = memo(function HistoryRow(props: Omit<RowProps, 'ticked'>) {
  const { item, box, selected, tabIndex, actions } = props;
  const user = box === 'received' ? item.from : item.to;
  return (
    <Row
      id={item.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      className="invitation-past"
      leading={<Icon name={item.status === 'accepted' ? 'check' : 'close'} size={16} />}
      title={
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
      }
      meta={
        <>
          <Bdi>{item.swarm.name}</Bdi> · {t.shell.roles[item.resource_type]}
        </>
      }
      trailing={
        <>
          {t.invitations.done[item.status]}
          <Time at={item.changed_at} />
        </>
      }
      onSelect={() => actions.select(item)}
    />
  );
});
