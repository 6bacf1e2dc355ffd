import type { IconName } from '../ui/icon.tsx';
import { t } from '../text/text.ts';

/** The four destinations, in the one order they have everywhere. `key` comes after `g`. */
export const places: readonly { to: string; under: string; label: string; icon: IconName; key: string }[] = [
  { to: '/', under: '/devices', label: t.shell.places.devices, icon: 'device', key: 'd' },
  { to: '/swarms', under: '/swarms', label: t.shell.places.swarms, icon: 'swarm', key: 's' },
  { to: '/invitations', under: '/invitations', label: t.shell.places.invitations, icon: 'inbox', key: 'i' },
  { to: '/account', under: '/account', label: t.shell.places.account, icon: 'user', key: 'a' },
];

export function isAt({ place, pathname }: { place: { to: string; under: string }; pathname: string }): boolean {
  return pathname === place.to || pathname === place.under || pathname.startsWith(`${place.under}/`);
}
