import type { IconName } from '../ui/icon.tsx';

export interface Destination {
  id: 'devices' | 'swarms' | 'invitations' | 'account';
  to: string;
  /** Its other pages, with those below them. */
  under: readonly string[];
  icon: IconName;
  keys: 'g d' | 'g s' | 'g i' | 'g a';
}

/** The four destinations, in their order on every screen. */
export const destinations: readonly Destination[] = [
  { id: 'devices', to: '/', under: ['/devices', '/import'], icon: 'device', keys: 'g d' },
  { id: 'swarms', to: '/swarms', under: ['/swarms', '/discover', '/join'], icon: 'swarm', keys: 'g s' },
  { id: 'invitations', to: '/invitations', under: ['/invitations'], icon: 'inbox', keys: 'g i' },
  { id: 'account', to: '/account', under: ['/account', '/activity'], icon: 'user', keys: 'g a' },
];

export function isAt({ destination, pathname }: { destination: Destination; pathname: string }): boolean {
  const { to, under } = destination;
  return pathname === to || under.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
