import { Problem } from '../../core/problem.ts';
import type { Messages } from './messages.ts';
import type { MessageFilter, MessageReader, MessagesFound, PageCursor } from './swarm-messages.store.ts';
import type { Swarms } from '../../core/swarms/swarms.store.ts';

export interface ReaderDeps {
  messages: Pick<Messages, 'memberReads'>;
  swarms: Pick<Swarms, 'require'>;
}

export interface SwarmAsked extends MessageFilter {
  userId: string;
  swarmId: string;
  signal?: AbortSignal;
}

/**
 * The user as a reader of the messages of a swarm: its owner, its managers and watchers, and users with a consumer in it; of those of one
 * resource also its owner. @throws `swarm.not_found`, `swarm.forbidden` for all others
 */
export async function readerOf(
  { messages, swarms }: ReaderDeps,
  { userId, swarmId, sender, signal }: SwarmAsked,
  operation: 'listMessages' | 'getSwarmValues' = 'listMessages',
): Promise<MessageReader> {
  const { relation } = await swarms.require({ userId, id: swarmId, operation });
  if (relation === 'member' && !(await messages.memberReads({ userId, swarmId, sender })))
    throw new Problem('swarm.forbidden', { detail: 'You have no consumer in this swarm' });
  const readsAll = relation === 'owner' || relation === 'manager';
  return { requester: { user: userId, ...(signal && { signal }) }, swarmId, readsAll };
}

/** Returns a function that reads a page of the messages of a swarm. */
export function createSwarmReader(deps: ReaderDeps & { messages: Pick<Messages, 'ofSwarm'> }) {
  return async (query: SwarmAsked & PageCursor): Promise<MessagesFound> =>
    deps.messages.ofSwarm({ ...query, ...(await readerOf(deps, query)) });
}
