import { useState } from 'react';
import type { Activity, Swarm } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { useChange } from '../../data/use-change.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { ActionError } from '../../ui/form-error.tsx';
import { Rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const afterDay = (end: number, most = Number.POSITIVE_INFINITY) => new Date(Math.min(end + dayMs, most)).toISOString();

type Notice = Pick<Activity, 'at' | 'detail' | 'resource'> & { swarm: NonNullable<Activity['swarm']> };

/** The device stays a day longer, or as long as the owner of the swarm has offered. Returns its new end. */
async function extendMember(swarm_id: string, resource_id: string, end: string): Promise<string> {
  const { data: swarms } = await send<Swarm[]>({ path: `/api/resources/${resource_id}/swarms` });
  const member = swarms.find(({ id }) => id === swarm_id)?.resources[0];
  const most = member?.ends_at_most === undefined ? undefined : Date.parse(member.ends_at_most);
  const ends_at = afterDay(Date.parse(member?.ends_at ?? end), most);
  const path = `/api/swarms/${swarm_id}/resources/${resource_id}`;
  await send({ method: 'PUT', path, body: { resource_type: member?.resource_type ?? 'both', ends_at } });
  return ends_at;
}

/** The notice comes an hour before the end. */
async function extendWatcher(swarm_id: string, user_id: string, at: string): Promise<string> {
  const ends_at = afterDay(Date.parse(at) + hourMs);
  await send({
    method: 'PUT',
    path: `/api/swarms/${swarm_id}/managers/${encodeURIComponent(user_id)}/end`,
    body: { ends_at },
  });
  return ends_at;
}

/** The button that extends what ends in an hour. */
export function Extend({ entry: { at, detail = '', resource, swarm } }: { entry: Notice }) {
  const [extendedTo, setExtendedTo] = useState<string>();
  const extend = useChange(
    () => (resource ? extendMember(swarm.id, resource.id, detail) : extendWatcher(swarm.id, detail, at)),
    { type: 'membership.changed', data: { swarm_id: swarm.id, ...(resource && { resource_id: resource.id }) } },
  );
  return (
    <span className="line wraps activity-buttons">
      {extendedTo === undefined ? (
        <Button
          size="row"
          disabled={extend.isPending}
          onClick={() => extend.mutate(undefined, { onSuccess: setExtendedTo })}
        >
          {t.activity.extend}
        </Button>
      ) : (
        <output>
          <Rich text={t.activity.extended} date={<Time at={extendedTo} form="date_time" />} />
        </output>
      )}
      <ActionError error={extend.error} />
    </span>
  );
}
