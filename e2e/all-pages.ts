import { harbourFleet } from './fleet.ts';
import { inviteDevices } from './invitations.ts';
import type { Server } from './server.ts';
import type { User } from './user.ts';

/** The URLs of all pages, after something to show was created on each. */
export async function allPages({ server, user, owner }: { server: Server; user: User; owner: User }) {
  const [device] = await user.addMany(harbourFleet().slice(0, 20));
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay', public: true });
  await user.join(swarm, { resource_id: device!.id, resource_type: 'both' });
  await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
  const invited = await owner.add({ name: 'Quay light', machine_type: 'bug' });
  await user.invite(swarm, { to: owner.name, resource_id: invited.id, resource_type: 'consumer' });
  const open = await owner.createSwarm({ name: 'River levels', description: 'Levels from every pier', public: true });
  const { url } = await owner.createLink(open);
  await server.command('user', 'role', user.name, 'operator');
  await user.createKey('Gateway 1');
  await user.act({ kind: 'update', about: { machine_type: 'pc' }, items: [{ id: device!.id, name: device!.name }] });
  return [
    '/',
    `/?sel=${device!.id}`,
    '/?q=nothing&machine_type=bug',
    `/devices/${device!.id}`,
    '/import',
    '/swarms',
    '/discover',
    ...['', '?tab=audience', '?tab=invitations', '?tab=links', '?tab=settings'].map(
      (tab) => `/swarms/${swarm.id}${tab}`,
    ),
    '/invitations',
    '/invitations?tab=sent',
    `/invite?swarm=${swarm.id}`,
    '/account',
    '/activity',
    '/activity?topic=changes',
    '/operator',
    new URL(url).pathname,
    '/map',
    `/swarms/${swarm.id}/map`,
  ];
}
