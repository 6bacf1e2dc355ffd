import { memo } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { isPostponed, usePending } from '../../../data/actions/shown-actions.ts';
import { RowValue } from '../../../shared/values/row-value.tsx';
import { t, formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { PresenceAge } from '../../../ui/symbols/presence.tsx';
import { Row, RowWords } from '../../../ui/lists/row.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import './device-panel.css';
import { useIsHovered } from '../../../ui/lists/use-hover.ts';
import { useHome } from './home-state.ts';

const Distance = lazyPart(async () => (await import('./distance.tsx')).Distance);
const UndoButton = lazyPart(async () => (await import('../../../shared/actions/undo-button.tsx')).UndoButton);

/** What a row of the list does: the same functions for as long as the list is shown. */
export interface RowCommands {
  select(device: Device): void;
  open(device: Device): void;
  place(device: Device): void;
  toggle(id: string, range: boolean): void;
}

interface DeviceRowProps {
  device: Device;
  isSelected: boolean;
  /** The owner of another user's device. */
  owner: string | null;
  /** Without it, the row has no checkbox. */
  selection: 'checked' | 'none' | undefined;
  /** Checkboxes are shown. */
  isSelecting: boolean;
  /** The point that the list is sorted by. */
  near: string | null;
  /** The key of the value that the list shows. */
  valueKey: string | undefined;
  tabIndex: 0 | -1;
  commands: RowCommands;
}

export const DeviceRow = memo(function DeviceRow(props: DeviceRowProps) {
  const { device, isSelected, owner, selection, isSelecting, near, valueKey, tabIndex, commands } = props;
  const destroying = usePending(`resource:${device.id}`);
  const age = <PresenceAge presence={device.presence} />;
  return (
    <Row
      id={device.id}
      tabIndex={tabIndex}
      state={isSelected && 'selected'}
      hovered={useIsHovered(useHome('hover'), device.id)}
      className="device-row"
      {...(selection && {
        selection: {
          label: <Rich text={t.devices.selection.select} name={<Bdi>{device.name}</Bdi>} />,
          isChecked: selection === 'checked',
          isActive: isSelecting,
          toggle: (range: boolean) => commands.toggle(device.id, range),
        },
      })}
      actions={
        destroying ? (
          <UndoButton pending={destroying} />
        ) : (
          !device.position &&
          owner === null && (
            <Button
              look="accent"
              size="row"
              tabIndex={tabIndex}
              aria-label={t.devices.place_named(device.name)}
              onClick={() => commands.place(device)}
            >
              {t.devices.place}
            </Button>
          )
        )
      }
      onSelect={() => commands.select(device)}
      onOpen={() => commands.open(device)}
      onHover={useHome('hover').set}
    >
      <RowWords
        leading={<TypeBadge type={device.machine_type} presence={device.presence.state} />}
        title={<TruncateMiddle text={device.name} />}
        name={t.shell.machine_types[device.machine_type]}
        meta={
          destroying ? (
            isPostponed(destroying.action) ? (
              t.devices.pending.postponed
            ) : (
              t.devices.pending.deleting
            )
          ) : (
            <span className="device-row-names">
              {owner === null ? (
                <SwarmLine device={device} />
              ) : (
                <Rich text={t.devices.of_owner} owner={<Bdi>{owner}</Bdi>} rest={<SwarmLine device={device} />} />
              )}
            </span>
          )
        }
        trailing={
          <>
            {device.refusals?.refused && (
              <span className="device-refused">
                <Icon name="warning" size={16} />
                <span className="visually-hidden">{t.devices.refused} </span>
              </span>
            )}
            {valueKey !== undefined ? (
              <RowValue values={device.values} valueKey={valueKey} />
            ) : (
              device.position && !destroying && (near === null ? age : <Distance from={near} to={device.position} />)
            )}
          </>
        }
      />
    </Row>
  );
});

/** The second line of a row: the swarms of the device. Each name is cut on its own (device-panel.css). */
function SwarmLine({ device }: { device: Device }) {
  const [first, second] = device.swarms;
  const rest = device.swarms.length - 1;
  const line =
    first === undefined ? (
      t.devices.no_swarm
    ) : rest === 0 ? (
      <Bdi>{first.name}</Bdi>
    ) : rest === 1 && second ? (
      <Rich text={t.devices.swarms_two} first={<Bdi>{first.name}</Bdi>} second={<Bdi>{second.name}</Bdi>} />
    ) : (
      <Rich text={t.devices.swarms_and_more(formatNumber(rest))} first={<Bdi>{first.name}</Bdi>} />
    );
  if (device.position) return line;
  return first === undefined ? t.devices.unplaced : <Rich text={t.devices.unplaced_and} rest={line} />;
}
