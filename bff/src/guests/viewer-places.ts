/** How many may look at links at once: of a link, and of the process. */
import { SetsByKey } from '../limits/bounded-map.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';
import type { Release } from '../limits/places.ts';
import { Problem } from '../problem.ts';
import type { OpenLink } from './viewers.ts';

/** Who has taken a place, and what ends that. */
interface Place {
  owner: string;
  end: () => void;
}

export function createViewerPlaces() {
  const byLink = new SetsByKey<Place>();
  const count = (link: string) => byLink.get(link)?.size ?? 0;

  return {
    /**
     * Takes a place of a link for a stream, which `end` ends. If the process has no place left, the owner who has most gives one
     * to an owner who has fewer.
     * @throws `share_link.too_many_viewers`
     */
    take({ id, user_id: owner }: Pick<OpenLink, 'id' | 'user_id'>, end: () => void): Release {
      if (count(id) >= shareLinkLimits.viewers) throw tooManyViewers();
      const all = [...byLink.values()].flatMap((places) => [...places]);
      if (all.length >= shareLinkLimits.viewersOfProcess) makePlace({ all, owner });
      const place = { owner, end };
      byLink.add(id, place);
      return () => byLink.remove(id, place);
    },
    /** How many look at this link. */
    count,
  };
}

/** Ends the newest stream of the owner who has most, unless that would only turn the two around. */
function makePlace({ all, owner }: { all: readonly Place[]; owner: string }) {
  const ofOwner = Map.groupBy(all, (place) => place.owner);
  const [most = []] = [...ofOwner.values()].toSorted((one, other) => other.length - one.length);
  if (most.length <= (ofOwner.get(owner)?.length ?? 0) + 1) throw tooManyViewers();
  most.at(-1)!.end();
}

const tooManyViewers = () => new Problem('share_link.too_many_viewers', { headers: { 'retry-after': '30' } });
