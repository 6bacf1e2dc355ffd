import type { Position, Resource } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { usePaletteMenu } from '../../ui/keys-provider.tsx';
import type { NamedMenuItem } from '../../ui/keys.ts';
import { mapsLink } from '../../ui/maps-link.ts';
import { MoreMenu } from '../../ui/menu.tsx';
import { shareItems } from '../../ui/share.ts';
import { useCopy } from '../../ui/use-copy.ts';

const openInMaps = (position: Position, name: string): NamedMenuItem => ({
  id: 'maps',
  label: t.device.card.open_in_maps,
  icon: 'globe',
  onSelect: () => void window.open(mapsLink(position, name), '_blank', 'noopener'),
});

interface DeviceMenuProps {
  device: Pick<Resource, 'id' | 'name' | 'position'>;
  /** Where the palette offers the commands too. */
  scope: 'selected_device' | 'device';
  isQuiet?: boolean;
  /** Without it, the menu copies the link of the page. */
  onPlace?: (() => void) | undefined;
  /** Without it, the device belongs to another user. */
  onDestroy?: (() => void) | undefined;
}

/** The commands on a device that are not buttons of its card or page. */
export function DeviceMenu({ device, scope, isQuiet, onPlace, onDestroy }: DeviceMenuProps) {
  const copy = useCopy();
  const { card } = t.device;
  const items: NamedMenuItem[] = [
    { id: 'id', label: card.copy_id, icon: 'copy', onSelect: () => copy(device.id, card.id_copied) },
    onPlace
      ? { id: 'place', label: card.place, icon: 'device', onSelect: onPlace }
      : {
          id: 'link',
          label: t.device.page.copy_link,
          icon: 'copy',
          onSelect: () => copy(location.href, t.devices.link_copied),
        },
    ...(device.position ? [openInMaps(device.position, device.name)] : []),
    ...shareItems({ title: device.name, url: `${location.origin}/devices/${device.id}` }),
  ];
  if (onDestroy) items.push({ id: 'destroy', label: card.delete, icon: 'trash', danger: true, onSelect: onDestroy });
  usePaletteMenu(scope, items);
  return <MoreMenu look={isQuiet ? 'quiet' : 'plain'} label={t.devices.more} items={items} />;
}
