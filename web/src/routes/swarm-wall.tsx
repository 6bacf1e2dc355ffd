import { useQuery } from '@tanstack/react-query';
import type { Params } from 'react-router';
import { swarmQuery } from '../features/swarms/swarms.api.ts';
import { WallRoute } from './wall.tsx';

export function Component({ id = '' }: Params) {
  const swarm = useQuery(swarmQuery(id)).data?.swarm;
  return (
    <WallRoute
      audience={`swarm:${id}`}
      swarm={{ id, name: swarm?.name ?? '', user_id: swarm?.user_id ?? '' }}
      leaveTo={`/swarms/${id}`}
    />
  );
}
