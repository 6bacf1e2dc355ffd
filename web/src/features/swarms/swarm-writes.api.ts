/** Requests that change swarms and their invitations. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExtendedSwarm, Swarm, SwarmCreate, SwarmItem } from '@swarmdeck/bff/contract';
import { applyChanges } from '../../data/stream/lazy-changes.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { ifMatch } from '../../data/if-match.ts';
import { saveMerged } from '../../data/forms/merge-fields.ts';
import type { ValuesChange } from '../../data/forms/merged-form.ts';
import { useCreate } from '../../data/use-change.ts';
import { swarmMerge, tidied, valuesOf, type SwarmValues } from './swarm-form.ts';
import { readSwarm, swarmQuery, type SwarmRead } from './swarms.api.ts';

export const useCreateSwarm = () =>
  useCreate<SwarmCreate, Swarm>('/api/swarms', ({ id }) => ({ type: 'swarm.created', data: { id } }));

export function useSaveSettings(id: string) {
  const client = useQueryClient();
  const { queryKey } = swarmQuery(id);
  return useMutation({
    mutationFn: ({ mine, ...change }: ValuesChange<SwarmValues>) =>
      saveMerged({
        ...change,
        mine: tidied(mine),
        fields: swarmMerge,
        valuesOf: ({ swarm }: SwarmRead) => valuesOf(swarm),
        read: () => readSwarm(id),
        async write({ body, etag }) {
          const path = pathTo('/api/swarms/:id', { id });
          const answer = await send<ExtendedSwarm>({ method: 'PUT', path, body, headers: ifMatch(etag) });
          const known = client.getQueryData(queryKey)?.swarm;
          return { swarm: { ...known, ...valuesOf(answer.data) } as SwarmItem, etag: answer.etag };
        },
      }),
    onSuccess(result) {
      const read = result.kind === 'saved' ? result.read : result.theirs;
      client.setQueryData(queryKey, read);
      applyChanges(client, { type: 'swarm.updated', data: read.swarm });
    },
  });
}
