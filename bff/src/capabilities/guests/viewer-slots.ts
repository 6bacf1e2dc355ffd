/** How many may look at links at once: of a link, and of the process. */
import { SetsByKey } from '../../core/limits/bounded-map.ts';
import { guestLimits } from './limits.ts';
import type { Release } from '../../core/limits/slots.ts';
import { Problem } from '../../core/problem.ts';
import type { OpenLink } from './viewers.ts';

/** Who has taken a slot, and what ends that. */
interface Slot {
  link: string;
  owner: string;
  /** Of the address, from the widest to the address itself: one person may have all of the first. */
  networks: readonly string[];
  stop: () => void;
}

export function createViewerSlots() {
  const byLink = new SetsByKey<Slot>();
  const count = (link: string) => byLink.get(link)?.size ?? 0;

  /**
   * Ends the newest stream of the group that has most of these, unless that would only turn the two around. Then the parts of the
   * newcomer's own group are compared in the same way. `groups`: of the newcomer, from the widest.
   * @throws `share_link.too_many_viewers`
   */
  function freeSlot(slots: readonly Slot[], groups: readonly string[], groupsOf: (slot: Slot) => readonly string[]) {
    let own = slots;
    for (const [level, group] of groups.entries()) {
      const others = Map.groupBy(own, (slot) => groupsOf(slot)[level]!);
      own = others.get(group) ?? [];
      const [most = []] = [...others.values()].toSorted((one, other) => other.length - one.length);
      if (most.length <= own.length + 1) continue;
      const slot = most.at(-1)!;
      // Its connection closes later. Another newcomer would choose it again.
      byLink.remove(slot.link, slot);
      return slot.stop();
    }
    throw tooManyViewers();
  }

  return {
    /**
     * Takes a slot of a link for a stream, which `stop` ends. If the link has no slot left, the network that has most gives its newest to one
     * that has fewer. If the process has none, the owner who has most gives one to an owner who has fewer.
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
      const networks = networksOf(address);
      const ofProcess = [...byLink.values()].flatMap((slots) => [...slots]);
      if (count(id) >= guestLimits.viewers) freeSlot([...byLink.of(id)], networks, (slot) => slot.networks);
      else if (ofProcess.length >= guestLimits.viewersOfProcess) freeSlot(ofProcess, [owner], (slot) => [slot.owner]);
      const slot = { link: id, owner, networks, stop };
      byLink.add(id, slot);
      return () => byLink.remove(id, slot);
    },
    /** How many look at this link. */
    count,
  };
}

/** The /24 of an IPv4 address; of an IPv6 network (`createClientAddress`), its /48 and /56. */
function networksOf(address: string): string[] {
  if (!address.includes(':')) return [address.split('.').slice(0, 3).join('.'), address];
  const groups = address.split(':');
  const wide = groups.slice(0, 3).join(':');
  return [wide, `${wide} ${Number.parseInt(groups[3]!, 16) >> 8}`, address];
}

const tooManyViewers = () => new Problem('share_link.too_many_viewers', { headers: { 'retry-after': '30' } });
