import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { Device, Position } from '@swarmdeck/bff/contract';
import { sentDevicesOf, useWaitingDevices } from '../../../data/outbox/waiting-devices.ts';
import { useNearestCity } from '../../../data/places/places.ts';
import { formatPosition } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/buttons/button.tsx';
import { CardHead, CardPlace, NoCard, SwarmTags } from '../../../ui/pages/card.tsx';
import { CommandMenu } from '../../../ui/dialogs/command-menu.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { CommandKey } from '../../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { PresenceText } from '../../../ui/symbols/presence.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { useSwipe } from '../../../ui/lists/swipe.ts';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useCopyPosition, useDeviceCommands } from '../use-device-commands.ts';
import './device-card.css';
import { useHome } from './home-state.ts';
import { useOpenDevice } from './use-selected-device.ts';

const LastValues = lazyPart(async () => (await import('../../../shared/values/last-values.tsx')).LastValues);
const PositionFacts = lazyPart(async () => (await import('../../../ui/symbols/position-facts.tsx')).PositionFacts);

const AudienceLine = lazyPart(async () => (await import('../../../shared/audience/audience-line.tsx')).AudienceLine);

/** The card of the selected device. In a sheet, a finger moves it. */
export function DeviceCard({ isInSheet }: { isInSheet: boolean }) {
  const { device, beside, close } = useHome('selected');
  const waiting = useWaitingDevice();
  const gone = { title: t.device.card.not_found, text: t.device.card.not_found_text };
  const { next, previous } = (isInSheet && device && beside(device)) || {};
  const swipe = (label: string, act: (() => void) | undefined) => act && ({ label, look: 'plain', act } as const);
  const { gestures } = useSwipe({
    left: swipe(t.device.card.next, next),
    right: swipe(t.device.card.previous, previous),
  });
  return (
    <section
      ref={useUncovering()}
      className="card stack gap-3 floating over-map swipeable"
      {...gestures}
      aria-label={t.device.card.region}
      tabIndex={-1}
      data-over-map
    >
      {device ? (
        <Card device={device} isInSheet={isInSheet} />
      ) : waiting ? (
        <WaitingCard device={waiting} onClose={close} />
      ) : (
        <NoCard gone={device === null ? gone : null} loading={t.device.page.loading}>
          <IconButton icon="close" look="quiet" label={t.shell.kit.close} onClick={close} />
        </NoCard>
      )}
    </section>
  );
}

/** The map moves its device out from under the card, which grows with what it shows, and comes last on a page that opens with it. */
function useUncovering() {
  const { handle: map } = useHome('map');
  return useCallback(
    (card: HTMLElement) => {
      const observer = new ResizeObserver(() => map.current?.uncover());
      observer.observe(card);
      return () => observer.disconnect();
    },
    [map],
  );
}

/**
 * The selected device if the server does not have it yet. It gets another id there, which is selected when it is sent. Only the tab
 * that has sent it knows that id: in others the selection ends.
 */
function useWaitingDevice(): Device | undefined {
  const { id, select } = useHome('selected');
  const [, setUrl] = useUrlState(homeUrl);
  const sent = sentDevicesOf({ client: useQueryClient() });
  const found = useWaitingDevices().find(({ device, isNew }) => isNew && device.id === id)?.device;
  const shown = useRef<string>(null);
  const selectSent = useEffectEvent((waited: string) => {
    const selected = sent.get(waited);
    if (selected === undefined) select(null);
    else setUrl({ selected });
  });
  const waits = found !== undefined;
  useEffect(() => {
    if (!waits && id !== null && shown.current === id) selectSent(id);
    shown.current = waits ? id : null;
  }, [waits, id]);
  return found;
}

function WaitingCard({ device, onClose }: { device: Device; onClose(): void }) {
  const { name, machine_type, position } = device;
  const city = useNearestCity(position);
  return (
    <>
      <CardHead
        badge={<TypeBadge type={machine_type} />}
        title={<Bdi>{name}</Bdi>}
        line={`${t.shell.machine_types[machine_type]} · ${t.outbox.added}`}
      >
        <IconButton icon="close" look="quiet" label={t.shell.kit.close} onClick={onClose} />
      </CardHead>
      {position && (
        <CardPlace city={city}>
          <CopyPosition position={position} />
        </CardPlace>
      )}
      <p className="quiet">{t.device.add_dialog.waits}</p>
    </>
  );
}

/** The command of the menu, beside what it copies. */
function CopyPosition({ position }: { position: Position }) {
  const copyPosition = useCopyPosition();
  const text = formatPosition(position);
  return (
    <button
      type="button"
      className="text-button hoverable card-copy"
      aria-label={t.device.card.copy_position(text)}
      onClick={() => copyPosition(position)}
    >
      <Bdi>{text}</Bdi>
      <Icon name="copy" size={16} />
    </button>
  );
}

function Card({ device, isInSheet }: { device: Device; isInSheet: boolean }) {
  const { close } = useHome('selected');
  const { place } = useHome('placing');
  const { destroy } = useHome('dialogs');
  const open = useOpenDevice();
  const owner = useHome('owner').ownerOf(device);
  const isOwn = owner === null;
  const city = useNearestCity(device.position);
  const menu = useDeviceCommands({
    device,
    onPlace: isOwn ? () => place(device) : undefined,
    onDestroy: isOwn ? () => destroy(device) : undefined,
  });
  return (
    <>
      <CardHead
        badge={<TypeBadge type={device.machine_type} presence={device.presence.state} />}
        title={<Bdi>{device.name}</Bdi>}
        line={
          <>
            <Rich
              text={t.device.card.changed}
              type={t.shell.machine_types[device.machine_type]}
              age={<Time at={device.changed_at} />}
            />
            {device.presence.state !== 'never' && (
              <>
                {' · '}
                <PresenceText presence={device.presence} />
              </>
            )}
            {!isOwn && (
              <>
                {' · '}
                <Bdi>{owner}</Bdi>
              </>
            )}
          </>
        }
      >
        <IconButton icon="close" look="quiet" label={t.shell.kit.close} onClick={close} />
      </CardHead>
      <CardPlace city={city}>
        {device.position ? (
          <CopyPosition position={device.position} />
        ) : (
          <>
            <span className="quiet">{t.device.card.unplaced}</span>
            {isOwn && (
              <Button look="accent" size="row" onClick={() => place(device)}>
                {t.commands.device.place}
              </Button>
            )}
          </>
        )}
      </CardPlace>
      <PositionFacts {...device} />
      <LastValues key={device.id} resource_id={device.id} />
      <SwarmTags swarms={device.swarms} more={(count) => t.device.card.more_swarms(formatNumber(count))} />
      {isOwn && device.swarms.length > 0 && <AudienceLine resource_id={device.id} swarms={device.swarms.length} />}
      <div className="line wraps even-buttons card-foot">
        <Button look={isInSheet ? 'primary' : 'plain'} onClick={() => open(device)}>
          {t.device.card.open}
          <CommandKey scope="selected_device" id="open" />
        </Button>
        {isOwn && (
          <Button onClick={() => open(device, 'name')}>
            {t.device.card.edit}
            <CommandKey scope="selected_device" id="edit" />
          </Button>
        )}
        <CommandMenu label={t.devices.more} commands={menu} />
      </div>
    </>
  );
}
