/** What is read again once something about swarms is not as it was, here or elsewhere. */
import type { QueryClient } from '@tanstack/react-query';

const ask = (client: QueryClient, ...keys: (readonly unknown[])[]) => {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
};

/** A swarm's own fields, or its counts, are others. */
export function swarmChanged(client: QueryClient, id: string): void {
  ask(client, ['swarm', id, 'overview'], ['swarms']);
}

/** Who is in it is not the same any more, or in which role; `resource_id` only where it is one device alone. */
export function membersChanged(
  client: QueryClient,
  { swarm_id, resource_id }: { swarm_id: string; resource_id?: string },
) {
  swarmChanged(client, swarm_id);
  ask(client, ['swarm', swarm_id, 'members'], ['swarm', swarm_id, 'known'], ['map'], ['devices']);
  ask(client, resource_id === undefined ? ['resource'] : ['resource', resource_id, 'swarms']);
}

/** An invitation was sent, answered or withdrawn. The inbox follows the same events (invitations.live.ts). */
export function boardChanged(client: QueryClient, id: string): void {
  swarmChanged(client, id);
  ask(client, ['swarm', id, 'board'], ['swarm', id, 'known']);
}

/** The members were read again: the map beside them follows. */
export function askMap(client: QueryClient): void {
  ask(client, ['map']);
}

/** Nobody is left of whom it tells: a map that begins anew knows nothing of before. */
export function forgetMap(client: QueryClient): void {
  client.removeQueries({ queryKey: ['map'] });
}

/** It is gone: nobody asks for it again, lists are read anew. */
export function swarmGone(client: QueryClient, id: string): void {
  ask(client, ['swarms'], ['swarm', id], ['devices'], ['map'], ['resource']);
  void client.invalidateQueries({ queryKey: ['account'], exact: true });
}

/** What was missed cannot be told: all that is shown of swarms is read again. */
export function everySwarmChanged(client: QueryClient): void {
  ask(client, ['swarms'], ['swarm']);
}

/** A device is another one: where it is shown as a member, its row is. */
export function memberDeviceChanged(client: QueryClient): void {
  for (const query of client.getQueryCache().findAll({ queryKey: ['swarm'] })) {
    if (query.queryKey[2] === 'members') void client.invalidateQueries({ queryKey: query.queryKey });
  }
}
