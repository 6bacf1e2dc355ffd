import type { IconName } from '../ui/icon.tsx';

export interface Place {
  id: 'devices' | 'swarms' | 'invitations' | 'account';
  to: string;
  under: string;
  /** Another page of this destination, outside `under`. */
  also?: string;
  icon: IconName;
  keys: 'g d' | 'g s' | 'g i' | 'g a';
}

/** The four destinations, in their order on every screen. */
export const places: readonly Place[] = [
  { id: 'devices', to: '/', under: '/devices', also: '/import', icon: 'device', keys: 'g d' },
  { id: 'swarms', to: '/swarms', under: '/swarms', icon: 'swarm', keys: 'g s' },
  { id: 'invitations', to: '/invitations', under: '/invitations', icon: 'inbox', keys: 'g i' },
  { id: 'account', to: '/account', under: '/account', also: '/activity', icon: 'user', keys: 'g a' },
];

export function isAt({ place, pathname }: { place: Place; pathname: string }): boolean {
  return (
    [place.to, place.also].includes(pathname) || pathname === place.under || pathname.startsWith(`${place.under}/`)
  );
}
