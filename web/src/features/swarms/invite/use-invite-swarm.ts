import { useQuery } from '@tanstack/react-query';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { isDenied } from '../../../data/problem.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { swarmQuery } from '../swarms.api.ts';
import { managesSwarm } from '../swarm-rights.ts';
import { inviteUrl } from './invite-url.ts';

export interface InviteSwarmOptions {
  /** The swarms to choose from, which match `q`. */
  swarms: SwarmList | undefined;
  q: string;
}

/** The chosen swarm. Its id is in the URL; the user may not own the swarm in a link. */
export function useInviteSwarm({ swarms, q }: InviteSwarmOptions) {
  const [{ swarm: wanted }, setUrl] = useUrlState(inviteUrl);
  // With one swarm there is no choice.
  const only = q === '' && swarms?.total === 1 ? swarms.items[0] : undefined;
  const listed = swarms?.items.find(({ id }) => id === wanted) ?? (wanted === null ? only : undefined);
  // One of many swarms may not be listed.
  const isUnlisted = wanted !== null && (swarms !== undefined || q !== '') && !listed;
  const { data, error } = useQuery({ ...swarmQuery(wanted ?? ''), enabled: isUnlisted });
  const unlisted = isUnlisted && !isDenied(error) ? data?.swarm : undefined;
  const mayInvite = unlisted !== undefined && managesSwarm(unlisted);
  return {
    swarm: listed ?? (mayInvite ? unlisted : undefined),
    /** The swarm in the URL was deleted, or the user does not manage it, or no more. */
    isDenied: isUnlisted && !mayInvite && (unlisted !== undefined || isDenied(error)),
    /** The id in the URL, of which the swarm may not be known. */
    wanted,
    chooseSwarm: (id: string) => setUrl({ swarm: id }),
  };
}
