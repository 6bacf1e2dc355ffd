import type { IconName } from '../ui/icon.tsx';

export interface Destination {
  id: 'devices' | 'swarms' | 'invitations' | 'account';
  to: string;
  under: string;
  /** Another page of this destination, outside `under`. */
  also?: string;
  icon: IconName;
  keys: 'g d' | 'g s' | 'g i' | 'g a';
}

/** The four destinations, in their order on every screen. */
export const destinations: readonly Destination[] = [
  { id: 'devices', to: '/', under: '/devices', also: '/import', icon: 'device', keys: 'g d' },
  { id: 'swarms', to: '/swarms', under: '/swarms', also: '/discover', icon: 'swarm', keys: 'g s' },
  { id: 'invitations', to: '/invitations', under: '/invitations', icon: 'inbox', keys: 'g i' },
  { id: 'account', to: '/account', under: '/account', also: '/activity', icon: 'user', keys: 'g a' },
];

export function isAt({ destination, pathname }: { destination: Destination; pathname: string }): boolean {
  return (
    [destination.to, destination.also].includes(pathname) ||
    pathname === destination.under ||
    pathname.startsWith(`${destination.under}/`)
  );
}
