/**
 * What is in the keys of cached queries (query-keys.ts), for those who look at all of them. It is not in that file, because the first
 * page does not need it.
 */
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/**
 * Whether a key is this one, or begins with it. TanStack Query would also find keys whose objects have more fields: for all invitations,
 * those of one device.
 */
export const beginsWith = (key: QueryKey, beginning: QueryKey): boolean =>
  beginning.every((part, index) => isSamePart(part, key[index]));

const isSamePart = (a: unknown, b: unknown) =>
  a === b || (typeof a === 'object' && typeof b === 'object' && hashKey([a]) === hashKey([b]));

/** The id in a key that begins like those of `keyOf`, such as `queryKeys.device.sent`. Undefined in other keys. */
export function idIn(key: QueryKey, keyOf: (id: string) => QueryKey): string | undefined {
  const [, id] = key;
  return typeof id === 'string' && beginsWith(key, keyOf(id)) ? id : undefined;
}

/** Returns whose devices a map shows. Undefined for other keys. */
export const audienceIn = (key: QueryKey): string | undefined =>
  beginsWith(key, queryKeys.map.all) ? (key[1] as { audience?: string } | undefined)?.audience : undefined;

/** Returns whose devices a wall counts or lists. Undefined for other keys. */
function wallAudienceIn(key: QueryKey): string | undefined {
  if (beginsWith(key, queryKeys.wall.summaries)) return String(key[2]);
  if (!beginsWith(key, queryKeys.wall.lists)) return undefined;
  return new URLSearchParams(String(key[2])).get('audience') ?? undefined;
}

/** The swarm whose devices a wall counts or lists. Undefined for other keys. */
export const swarmOfWallIn = (key: QueryKey): string | undefined => /^swarm:(.+)/.exec(wallAudienceIn(key) ?? '')?.[1];

/** What live values are of. Undefined in other keys. */
export const liveSourceIn = (key: QueryKey) =>
  beginsWith(key, queryKeys.values.everyLive)
    ? (key[2] as { resource_id?: string; swarm_id?: string; key?: string; resource_ids?: readonly string[] })
    : undefined;

/** Returns of which device a list of messages is, if it is of one, and whether it is paused. */
export const messageListIn = ([, , filter, newest]: QueryKey) => ({
  filter: filter as { resource?: string },
  isPaused: newest !== undefined,
});
