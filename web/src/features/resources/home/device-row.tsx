import type { KeyboardEvent } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { destroyKey } from '../resources.api.ts';
import './device-row.css';
import { SwarmLine } from './swarm-line.tsx';

/** What a row can set in motion on the page. */
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions.open(device);
  };
  return (
    <div
      className={`device-row${selected ? ' device-row-selected' : ''}${hovered ? ' device-row-hovered' : ''}`}
      onPointerEnter={(event) => event.pointerType === 'mouse' && actions.hover(device.id)}
      onPointerLeave={() => actions.hover(null)}
    >
      <button
        type="button"
        className="device-row-main"
        data-row={device.id}
        tabIndex={tabIndex}
        aria-current={selected || undefined}
        onClick={() => actions.select(device)}
        onKeyDown={onKeyDown}
      >
        <TypeBadge type={device.machine_type} />
        <span className="device-row-words">
          <span className="device-row-name">
            <TruncateMiddle text={device.name} />
          </span>
          <span className="visually-hidden">, {t.shell.machine_types[device.machine_type]}, </span>
          <span className="device-row-second">
            {destroying ? t.devices.waiting.destroying : <SwarmLine device={device} />}
          </span>
        </span>
        {device.position && !destroying && (
          <span className="device-row-age">
            <Time at={device.changed_at} form="age" />
          </span>
        )}
      </button>
      {destroying ? (
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
      )}
    </div>
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
