import type { ActionFilter, ActionKinds, NamedItem } from '../../contract.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { Service } from '../../service/service.ts';

/** Reads the items of an action on a whole list: the records that match its filter now, in pages. */
export function createItemsOf(
  { matchingDevices: devices, matchingInvitations: invitations }: ReadModels,
  { endingMembers: ending }: Service['useCases'],
) {
  async function* all({
    userId,
    filter,
  }: {
    userId: string;
    filter: ActionFilter;
  }): AsyncGenerator<(NamedItem & Partial<Omit<ActionKinds['answer']['item'], keyof NamedItem>>)[]> {
    const params = new URLSearchParams(filter.query);
    if (filter.list === 'invitations') {
      for await (const page of invitations({ userId, params })) {
        const isSent = params.get('box') === 'sent';
        yield page.map(({ id, other_id, to, device, swarm, ends_at, is_request, is_later_end }) => ({
          ...(isSent
            ? { id, name: is_request ? (device?.name ?? '') : to }
            : { id, name: device?.name ?? '', swarm: swarm.name, ...(ends_at !== undefined && { ends_at }) }),
          ...(other_id !== undefined && { other_id }),
          ...(is_request && { is_request }),
          ...(is_later_end && { is_later_end }),
        }));
      }
    } else if (filter.list === 'ending_members') {
      yield* ending({ userId, swarmId: filter.swarm_id, endsAt: params.get('ends_at') ?? '' });
    } else {
      const swarm = filter.list === 'members' ? filter.swarm_id : undefined;
      const requester = { user: userId };
      for await (const page of devices({ requester, params, swarm })) yield page.map(({ id, name }) => ({ id, name }));
    }
  }

  return async function* itemsOf(request: { userId: string; filter: ActionFilter }) {
    const left = new Set(request.filter.except);
    for await (const page of all(request)) yield page.filter(({ id }) => !left.has(id));
  };
}
