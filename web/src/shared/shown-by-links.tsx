/** The consent that links of a swarm show a device to people without an account. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../data/cache/query-keys.ts';
import { read, send } from '../data/client.ts';
import { pathTo } from '../data/path-to.ts';
import { useChange } from '../data/use-change.ts';
import { t } from '../text/text.ts';
import { Checkbox } from '../ui/fields/checkbox.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { ActionError } from '../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { consentReads } from './flow.tsx';

/** What a form of a consent sends: not allowed until the user selects it. */
export function useShownByLinks() {
  const [isShown, setShown] = useState(false);
  return { isShown, setShown, terms: isShown ? { shown_by_links: true as const } : {} };
}

interface ShownByLinksFieldProps {
  /** The number of devices that it is about. */
  devices: number;
  isShown: boolean;
  setShown(isShown: boolean): void;
  disabled?: boolean;
}

export function ShownByLinksField({ devices, isShown, setShown, disabled = false }: ShownByLinksFieldProps) {
  const { allow, hint, allow_many, hint_many } = t.share_links.consent;
  return (
    <Checkbox
      label={
        <span className="stack gap-1">
          {devices === 1 ? allow : allow_many} <span className="quiet">{devices === 1 ? hint : hint_many}</span>
        </span>
      }
      checked={isShown}
      disabled={disabled}
      onChange={setShown}
    />
  );
}

interface OwnMember {
  swarm: { id: string; name: string };
  device: { id: string; name: string };
}

/** For an own device. */
function useAllowLinks({ swarm, device: { id } }: OwnMember) {
  const path = pathTo('/api/swarms/:id/resources/:resource_id', { id: swarm.id, resource_id: id });
  return useChange((shown_by_links: boolean) => send({ method: 'PUT', path, body: { shown_by_links } }), {
    type: 'membership.changed',
    data: { swarm_id: swarm.id, resource_id: id },
  });
}

interface AllowLinksProps extends OwnMember {
  /** The present setting, of which this is the change. */
  isShown: boolean;
  onClose(): void;
}

/** Asks before links of a swarm show an own device, or do not any more. */
export function AllowLinks({ isShown, onClose, ...member }: AllowLinksProps) {
  const texts = t.share_links.consent;
  const change = useAllowLinks(member);
  const names = { device: <Bdi>{member.device.name}</Bdi>, swarm: <Bdi>{member.swarm.name}</Bdi> };
  return (
    <ConfirmDialog
      title={<Rich text={isShown ? texts.stop_title : texts.title} {...names} />}
      description={<Rich text={isShown ? texts.stop_text : texts.text} {...names} />}
      confirm={isShown ? texts.stop : texts.confirm}
      isDangerous={false}
      busy={change.isPending}
      onConfirm={() => change.mutate(!isShown, { onSuccess: onClose })}
      onClose={onClose}
    >
      {!isShown && <OpenLinks swarm_id={member.swarm.id} />}
      <ActionError error={change.error} />
    </ConfirmDialog>
  );
}

/** How many links would show a device of the swarm at once. What an earlier dialog has read may be wrong by now. */
const openLinksQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.audience.links(swarm_id),
    queryFn: async ({ signal }) =>
      (await read('/api/swarms/:id/audience', { id: swarm_id }, { signal })).items[0]?.guest_links ?? null,
    ...consentReads,
    gcTime: 0,
  });

function OpenLinks({ swarm_id }: { swarm_id: string }) {
  const texts = t.share_links.consent;
  const { data: count, isError } = useQuery(openLinksQuery(swarm_id));
  if (isError || count === null) return <output className="quiet">{texts.count_failed}</output>;
  if (count === undefined) return <output className="quiet">{texts.counting}</output>;
  return <output>{count > 0 ? texts.open_now(count) : texts.none_open}</output>;
}
