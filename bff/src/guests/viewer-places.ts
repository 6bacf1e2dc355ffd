/** How many may look at links at once: of a link, and of the process. */
import { SetsByKey } from '../limits/bounded-map.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';
import type { Release } from '../limits/places.ts';
import { Problem } from '../problem.ts';
import type { OpenLink } from './viewers.ts';

/** Who has taken a place, and what ends that. */
interface Place {
  link: string;
  owner: string;
  address: string;
  end: () => void;
}

export function createViewerPlaces() {
  const byLink = new SetsByKey<Place>();
  const count = (link: string) => byLink.get(link)?.size ?? 0;

  /**
   * Ends the newest stream of the one who has most of these, unless that would only turn the two around.
   * @throws `share_link.too_many_viewers`
   */
  function makePlace(places: Iterable<Place>, { by, newcomer }: { by: 'owner' | 'address'; newcomer: string }) {
    const groups = Map.groupBy(places, (place) => place[by]);
    const [most = []] = [...groups.values()].toSorted((one, other) => other.length - one.length);
    if (most.length <= (groups.get(newcomer)?.length ?? 0) + 1) throw tooManyViewers();
    const place = most.at(-1)!;
    // Its connection closes later. Another newcomer would choose it again.
    byLink.remove(place.link, place);
    place.end();
  }

  return {
    /**
     * Takes a place of a link for a stream, which `end` ends. If the link has no place left, the address that has most gives
     * one to an address that has fewer. If the process has none, the owner who has most gives one to an owner who has fewer.
     * @throws `share_link.too_many_viewers`
     */
    take({
      link: { id, user_id: owner },
      address,
      end,
    }: {
      link: Pick<OpenLink, 'id' | 'user_id'>;
      address: string;
      end: () => void;
    }): Release {
      const ofProcess = [...byLink.values()].flatMap((places) => [...places]);
      if (count(id) >= shareLinkLimits.viewers) makePlace(byLink.of(id), { by: 'address', newcomer: address });
      else if (ofProcess.length >= shareLinkLimits.viewersOfProcess)
        makePlace(ofProcess, { by: 'owner', newcomer: owner });
      const place = { link: id, owner, address, end };
      byLink.add(id, place);
      return () => byLink.remove(id, place);
    },
    /** How many look at this link. */
    count,
  };
}

const tooManyViewers = () => new Problem('share_link.too_many_viewers', { headers: { 'retry-after': '30' } });
