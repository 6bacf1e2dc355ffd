import { useIsFetching } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { useWaitingDevices } from '../../../data/outbox/waiting-devices.ts';
import { t } from '../../../text/text.ts';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { Row, RowWords } from '../../../ui/lists/row.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useHome } from './home-state.ts';
import { useOpenDevice } from './use-selected-device.ts';
import './waiting-devices.css';

/** Above the list: the devices that wait for the server and that it does not have, new ones and edited ones. */
export function WaitingDevices() {
  const [{ filters }] = useUrlState(homeUrl);
  const { rows } = useHome('list');
  const { id: selected, show } = useHome('selected');
  const open = useOpenDevice();
  const waiting = useWaitingDevices().filter(({ device }) => !rows.get(device.id));
  if (filters.audience || waiting.length === 0) return null;
  return (
    <ul className="waiting-devices" aria-label={t.outbox.devices}>
      {waiting.map(({ device, isNew }) => (
        <li key={device.id}>
          <Row
            id={device.id}
            tabIndex={0}
            state={device.id === selected ? 'selected' : 'pending'}
            className="device-row"
            // A new one has no page yet.
            onSelect={() => (isNew ? show(device) : open(device))}
          >
            <RowWords
              leading={<TypeBadge type={device.machine_type} />}
              title={<TruncateMiddle text={device.name} />}
              name={t.shell.machine_types[device.machine_type]}
              meta={isNew ? t.outbox.added : t.outbox.edited}
              trailing={<Icon name="clock" size={16} />}
            />
          </Row>
        </li>
      ))}
    </ul>
  );
}

/** Ends the first steps while a new device waits, and until the list that has it was read. */
export function FirstWaiting(): null {
  const { setWaiting } = useHome('start');
  const [{ filters }] = useUrlState(homeUrl);
  const hasNew = useWaitingDevices().some(({ isNew }) => isNew);
  const waits = hasNew && !filters.audience;
  const isReading = useIsFetching({ queryKey: queryKeys.devices.lists }) > 0;
  useEffect(() => {
    if (waits || !isReading) setWaiting(waits);
  }, [waits, isReading, setWaiting]);
  useEffect(() => () => setWaiting(false), [setWaiting]);
  return null;
}
