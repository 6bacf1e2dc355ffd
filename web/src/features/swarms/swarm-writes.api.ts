/** Requests that change swarms and their invitations. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ExtendedSwarm, Swarm, SwarmCreate } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { saveMerged } from '../../api/merge-fields.ts';
import { swarmMerge, valuesOf, type SwarmValues } from './swarm-form.ts';
import { readSwarm, swarmQuery } from './swarms.api.ts';

export function useCreateSwarm() {
  const client = useQueryClient();
  return useMutation({
    /** `idempotencyKey` is the same for a retry of the form, so that a lost response does not create a second swarm. */
    mutationFn: async ({ swarm, idempotencyKey }: { swarm: SwarmCreate; idempotencyKey: string }) =>
      (
        await send<Swarm>({
          method: 'POST',
          path: '/api/swarms',
          body: swarm,
          headers: { 'idempotency-key': idempotencyKey },
        })
      ).data,
    onSuccess: ({ id }) => applyOwnChanges(client, { type: 'swarm.created', data: { id } }),
  });
}

interface SettingsRead {
  values: SwarmValues;
  etag: string | null;
}

export function useSaveSettings(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { base: SwarmValues; mine: SwarmValues; etag: string | null }) =>
      saveMerged({
        ...change,
        fields: swarmMerge,
        valuesOf: ({ values }: SettingsRead) => values,
        async read() {
          const { swarm, etag } = await readSwarm(id);
          return { values: valuesOf(swarm), etag };
        },
        async write({ body, etag }) {
          const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
          const answer = await send<ExtendedSwarm>({ method: 'PUT', path: `/api/swarms/${id}`, body, headers });
          return { values: valuesOf(answer.data), etag: answer.etag };
        },
      }),
    onSuccess(result) {
      const { values, etag } = result.kind === 'saved' ? result.read : result.theirs;
      const { queryKey } = swarmQuery(id);
      const known = client.getQueryData(queryKey);
      if (!known) return;
      const swarm = { ...known.swarm, ...values };
      client.setQueryData(queryKey, { swarm, etag });
      applyOwnChanges(client, { type: 'swarm.updated', data: swarm });
    },
  });
}
