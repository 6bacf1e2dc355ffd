import type { Device } from '@swarmdeck/bff/contract';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Row } from '../../../ui/row.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { destroyKey } from '../resources.api.ts';
import { SwarmLine } from './swarm-line.tsx';
import './device-panel.css';

/** The actions of a row. */
export interface ListActions {
  select(device: Device): void;
  open(device: Device): void;
  place(device: Device): void;
  hover(id: string | null): void;
}

interface DeviceRowProps {
  device: Device;
  selected: boolean;
  hovered: boolean;
  tabIndex: 0 | -1;
  actions: ListActions;
}

export function DeviceRow(props: DeviceRowProps) {
  const { device, selected, hovered, tabIndex, actions } = props;
  const destroying = usePendingPhase(destroyKey(device.id));
  return (
    <Row
      id={device.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      hovered={hovered}
      className="device-row"
      leading={<TypeBadge type={device.machine_type} />}
      title={<TruncateMiddle text={device.name} />}
      name={t.shell.machine_types[device.machine_type]}
      meta={destroying ? t.devices.waiting.deleting : <SwarmLine device={device} />}
      trailing={device.position && !destroying && <Time at={device.changed_at} form="age" />}
      actions={
        destroying ? (
          <UndoInRow id={device.id} />
        ) : (
          !device.position && (
            <Button
              look="accent"
              size="row"
              tabIndex={tabIndex}
              aria-label={t.devices.place_named(device.name)}
              onClick={() => actions.place(device)}
            >
              {t.devices.place}
            </Button>
          )
        )
      }
      onSelect={() => actions.select(device)}
      onOpen={() => actions.open(device)}
      onHover={actions.hover}
    />
  );
}

function UndoInRow({ id }: { id: string }) {
  const pending = usePendingActions();
  return (
    <Button look="accent" size="row" onClick={() => pending.undo(destroyKey(id))}>
      {t.devices.waiting.undo}
    </Button>
  );
}
