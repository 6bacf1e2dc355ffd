import type { Position, Resource } from '@swarmdeck/bff/contract';
import { formatPosition } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import type { Command } from '../../ui/keys/commands.ts';
import { useCommands } from '../../ui/keys/keys-provider.tsx';
import { mapsLink } from '../../ui/urls/maps-link.ts';
import { canShare, share } from '../../ui/browser/share.ts';
import { useCopy } from '../../ui/buttons/use-copy.ts';

interface DeviceCommandsOptions {
  device: Pick<Resource, 'id' | 'name' | 'position'>;
  /** It is shown as it was: it was deleted, or belongs to another user. */
  isGone?: boolean;
  /** Chooses its position on a map; undefined if there is none, or if the device belongs to another user. */
  onPlace?: (() => void) | undefined;
  /** Only on its page. */
  onHandOver?: (() => void) | undefined;
  /** Undefined if the device belongs to another user. */
  onDestroy?: (() => void) | undefined;
}

/** As map programs read it. */
export function useCopyPosition(): (position: Position) => void {
  const copy = useCopy();
  return (position) => copy(formatPosition(position), t.device.card.position_copied);
}

/** What the user may do with one device, wherever it is shown. Returns the commands that are possible, for its menu. */
export function useDeviceCommands({
  device,
  isGone = false,
  onPlace,
  onHandOver,
  onDestroy,
}: DeviceCommandsOptions): Command[] {
  const copy = useCopy();
  const copyPosition = useCopyPosition();
  const { id, name, position } = device;
  const { card } = t.device;
  return useCommands('device', {
    copy_position: position && (() => copyPosition(position)),
    copy_id: () => copy(id, card.id_copied),
    place: onPlace,
    // The list, where a device can be placed, has a link of its own.
    copy_link: !onPlace && !isGone && (() => copy(location.href, card.link_copied)),
    open_in_maps: position && !isGone && (() => void window.open(mapsLink(position, name), '_blank', 'noopener')),
    share: canShare() && !isGone && (() => share({ title: name, url: `${location.origin}/devices/${id}` })),
    hand_over: onHandOver,
    delete: onDestroy,
  });
}
