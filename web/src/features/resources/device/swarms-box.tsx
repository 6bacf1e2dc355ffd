import { useQuery } from '@tanstack/react-query';
import type { Swarm } from '@swarmdeck/bff/contract';
import { errorParts } from '../../../api/problem.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Link } from '../../../ui/router.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { resourceSwarmsQuery } from '../resources.api.ts';
import { LeaveSwarm } from './leave-swarm.tsx';
import './swarms-box.css';

/** The swarms that a device of mine is in, with whose they are and what it does there. */
export function SwarmsBox({ id, user_id }: { id: string; user_id: string }) {
  const swarms = useQuery(resourceSwarmsQuery(id));
  return (
    <section className="box">
      <h2 className="box-head">
        {t.device.page.swarms}
        {swarms.data && <span className="box-count numbers">{formatNumber(swarms.data.length)}</span>}
      </h2>
      {swarms.isPending && (
        <div className="box-line">
          <Skeleton width="40%" />
        </div>
      )}
      {swarms.isError && (
        <div className="box-line" role="alert">
          {problemSentence(errorParts(swarms.error))}
          <Button size="row" onClick={() => void swarms.refetch()}>
            {t.devices.retry}
          </Button>
        </div>
      )}
      {swarms.data?.length === 0 && <p className="box-line box-quiet">{t.device.page.no_swarms}</p>}
      <ul>
        {swarms.data?.map((swarm) => (
          <SwarmRow key={swarm.id} swarm={swarm} id={id} user_id={user_id} />
        ))}
      </ul>
    </section>
  );
}

function SwarmRow({ swarm, id, user_id }: { swarm: Swarm; id: string; user_id: string }) {
  const role = swarm.resources.find((member) => member.resource_id === id)?.resource_type;
  const members = t.device.page.members(swarm.resources.length, formatNumber(swarm.resources.length));
  const owner = swarm.user_id === user_id ? t.device.page.by_you : <Bdi>{swarm.user_id}</Bdi>;
  return (
    <li className="box-line">
      <div className="box-words">
        <Link to={`/swarms/${swarm.id}`} className="box-name">
          <bdi>{swarm.name}</bdi>
        </Link>
        <span className="box-quiet">
          <Rich text={t.device.page.swarm_by(members)} owner={owner} />
        </span>
      </div>
      {role && <RoleChip role={role} label={t.shell.roles[role]} />}
      <LeaveSwarm swarm={swarm} id={id} />
    </li>
  );
}
