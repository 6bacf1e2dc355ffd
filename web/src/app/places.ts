import { t } from '../text/text.ts';
import type { IconName } from '../ui/icon.tsx';

export interface Place {
  to: string;
  under: string;
  /** A page of it that stands elsewhere. */
  also?: string;
  label: string;
  icon: IconName;
  /** The key that leads there. */
  keys: 'g d' | 'g s' | 'g i' | 'g a';
}

/** The four destinations, in the one order they have everywhere. */
export const places: readonly Place[] = [
  { to: '/', under: '/devices', also: '/import', label: t.shell.places.devices, icon: 'device', keys: 'g d' },
  { to: '/swarms', under: '/swarms', label: t.shell.places.swarms, icon: 'swarm', keys: 'g s' },
  { to: '/invitations', under: '/invitations', label: t.shell.places.invitations, icon: 'inbox', keys: 'g i' },
  { to: '/account', under: '/account', label: t.shell.places.account, icon: 'user', keys: 'g a' },
];

export function isAt({ place, pathname }: { place: Place; pathname: string }): boolean {
  return (
    [place.to, place.also].includes(pathname) || pathname === place.under || pathname.startsWith(`${place.under}/`)
  );
}
