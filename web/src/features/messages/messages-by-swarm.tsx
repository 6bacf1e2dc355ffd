import { useQuery } from '@tanstack/react-query';
import type { Resource, Swarm } from '@swarmdeck/bff/contract';
import { flowQuery } from '../../shared/flow.tsx';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Link } from '../../ui/urls/router.tsx';

/** More of them are below, in the box of swarms. */
const mostSwarms = 5;

/** For each swarm of the user's own device: from how many devices it receives, and where everything is that it has sent. */
export function MessagesBySwarm({ device, swarms }: { device: Resource; swarms: readonly Swarm[] }) {
  if (swarms.length === 0) return null;
  return (
    <>
      <h3 className="box-part section-name">{t.messages.ways}</h3>
      <ul className="stack box-text messages-ways">
        {swarms.slice(0, mostSwarms).map((swarm) => (
          <OfSwarm key={swarm.id} device={device} swarm={swarm} />
        ))}
      </ul>
      {swarms.length > mostSwarms && (
        <p className="box-text quiet">{t.messages.more_swarms(swarms.length - mostSwarms)}</p>
      )}
    </>
  );
}

export const roleIn = (swarm: Swarm, device: Pick<Resource, 'id'>) =>
  swarm.resources.find(({ resource_id }) => resource_id === device.id)?.resource_type;

function OfSwarm({ device, swarm }: { device: Resource; swarm: Swarm }) {
  const role = roleIn(swarm, device);
  const receives = role === 'consumer' || role === 'both';
  const { data: flow } = useQuery({ ...flowQuery(swarm.id, {}), enabled: receives });
  const tab = `/swarms/${swarm.id}?tab=messages`;
  const name = <Bdi>{swarm.name}</Bdi>;
  return (
    <>
      {receives && flow && (
        <li>
          <Link to={tab}>
            <Rich text={t.messages.receives_from(flow.producers - (role === 'both' ? 1 : 0))} swarm={name} />
          </Link>
        </li>
      )}
      {role !== 'consumer' && (
        <li>
          <Link to={`${tab}&from=${device.id}`}>
            <Rich text={t.messages.sent_in} swarm={name} />
          </Link>
        </li>
      )}
    </>
  );
}
