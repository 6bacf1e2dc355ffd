export interface Destination {
  id: 'devices' | 'swarms' | 'invitations' | 'account';
  to: string;
  /** Its other pages, with those below them. */
  under: readonly string[];
  /** In the table of commands (ui/keys/commands.ts), with its icon and its keys. */
  command: 'go_devices' | 'go_swarms' | 'go_invitations' | 'go_account';
}

/** The four destinations, in their order on every screen. */
export const destinations: readonly Destination[] = [
  { id: 'devices', to: '/', under: ['/devices', '/import'], command: 'go_devices' },
  { id: 'swarms', to: '/swarms', under: ['/swarms', '/discover', '/join'], command: 'go_swarms' },
  { id: 'invitations', to: '/invitations', under: ['/invitations', '/invite'], command: 'go_invitations' },
  { id: 'account', to: '/account', under: ['/account', '/activity'], command: 'go_account' },
];

export function isAt({ destination, pathname }: { destination: Destination; pathname: string }): boolean {
  const { to, under } = destination;
  return pathname === to || under.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
