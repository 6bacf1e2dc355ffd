/** How many may look at links at once: of a link, and of the process. */
import { SetsByKey } from '../limits/bounded-map.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';
import type { Release } from '../limits/slots.ts';
import { Problem } from '../problem.ts';
import type { OpenLink } from './viewers.ts';

/** Who has taken a slot, and what ends that. */
interface Slot {
  link: string;
  owner: string;
  address: string;
  stop: () => void;
}

export function createViewerSlots() {
  const byLink = new SetsByKey<Slot>();
  const count = (link: string) => byLink.get(link)?.size ?? 0;

  /**
   * Ends the newest stream of the one who has most of these, unless that would only turn the two around.
   * @throws `share_link.too_many_viewers`
   */
  function freeSlot(slots: Iterable<Slot>, { by, newcomer }: { by: 'owner' | 'address'; newcomer: string }) {
    const groups = Map.groupBy(slots, (slot) => slot[by]);
    const [most = []] = [...groups.values()].toSorted((one, other) => other.length - one.length);
    if (most.length <= (groups.get(newcomer)?.length ?? 0) + 1) throw tooManyViewers();
    const slot = most.at(-1)!;
    // Its connection closes later. Another newcomer would choose it again.
    byLink.remove(slot.link, slot);
    slot.stop();
  }

  return {
    /**
     * Takes a slot of a link for a stream, which `stop` ends. If the link has no slot left, the address that has most gives
     * one to an address that has fewer. If the process has none, the owner who has most gives one to an owner who has fewer.
     * @throws `share_link.too_many_viewers`
     */
    take({
      link: { id, user_id: owner },
      address,
      stop,
    }: {
      link: Pick<OpenLink, 'id' | 'user_id'>;
      address: string;
      stop: () => void;
    }): Release {
      const ofProcess = [...byLink.values()].flatMap((slots) => [...slots]);
      if (count(id) >= shareLinkLimits.viewers) freeSlot(byLink.of(id), { by: 'address', newcomer: address });
      else if (ofProcess.length >= shareLinkLimits.viewersOfProcess)
        freeSlot(ofProcess, { by: 'owner', newcomer: owner });
      const slot = { link: id, owner, address, stop };
      byLink.add(id, slot);
      return () => byLink.remove(id, slot);
    },
    /** How many look at this link. */
    count,
  };
}

const tooManyViewers = () => new Problem('share_link.too_many_viewers', { headers: { 'retry-after': '30' } });
