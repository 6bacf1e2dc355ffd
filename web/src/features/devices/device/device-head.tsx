import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { deviceQuery, presenceOf } from '../../../data/cache/device-query.ts';
import { t } from '../../../text/text.ts';
import type { ButtonLook } from '../../../ui/buttons/button.tsx';
import { CommandMenu } from '../../../ui/dialogs/command-menu.tsx';
import { useDeviceCommands } from '../use-device-commands.ts';
import { useDevice } from './device-state.ts';

/** The link back to the list with its filters, selection and map view. */
export function useBack() {
  const location = useLocation();
  const { home = '' } = (location.state ?? {}) as { home?: string };
  return { to: { pathname: '/', search: home }, label: t.device.page.back };
}

/** Whether the device is heard; undefined until it is known, and if the device is gone. */
export function useDevicePresence() {
  const { resource } = useDevice('shown');
  const { isGone } = useDevice('again');
  const presence = useQuery({ ...deviceQuery(resource.id), select: presenceOf }).data;
  return isGone ? undefined : presence;
}

/** What the user may do with the device. */
export function DeviceMenu({ look }: Pick<ButtonLook, 'look'>) {
  const { resource } = useDevice('shown');
  const { ask } = useDevice('destroying');
  const { isGone } = useDevice('again');
  const commands = useDeviceCommands({
    device: resource,
    isGone,
    onHandOver: ask && (() => ask('hand_over')),
    onDestroy: ask && (() => ask('delete')),
  });
  return <CommandMenu look={look} label={t.devices.more} commands={commands} />;
}
