import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SilenceNotices } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Switch } from '../../ui/fields/switch.tsx';

const pathOf = (swarm_id: string) => pathTo('/api/swarms/:id/silence-notices', { id: swarm_id });

const silenceNoticesQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.silenceNotices(swarm_id),
    queryFn: async ({ signal }) => (await send({ path: pathOf(swarm_id), signal })).data,
  });

/** Whether the user is notified when other users' devices in a swarm are silent. Each owner, manager and watcher chooses it. */
export function SilenceNoticesBox({ swarm_id }: { swarm_id: string }) {
  const client = useQueryClient();
  const { queryKey, ...query } = silenceNoticesQuery(swarm_id);
  const stored = useQuery({ queryKey, ...query });
  const choice = useMutation({
    mutationFn: async (enabled: boolean) =>
      (await send<SilenceNotices>({ method: 'PUT', path: pathOf(swarm_id), body: { enabled } })).data,
    onSuccess: (data) => client.setQueryData(queryKey, data),
  });
  const text = t.swarms.silence_notices;
  return (
    <Box title={text.title}>
      {stored.isError && !stored.data ? (
        <LoadFailedNote className="box-row" title={text.failed} query={stored} />
      ) : (
        <div className="stack gap-2 pad-4">
          <Switch
            label={text.label}
            checked={choice.isPending ? choice.variables : (stored.data?.enabled ?? false)}
            disabled={!stored.data}
            onChange={(enabled) => choice.mutate(enabled)}
          />
          <p className="quiet">{text.hint}</p>
          <ActionError error={choice.error} />
        </div>
      )}
    </Box>
  );
}
