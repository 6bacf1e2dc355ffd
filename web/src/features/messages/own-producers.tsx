import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { ownSendersQuery } from './messages.api.ts';

interface OwnProducersProps {
  swarm_id: string;
  /** With the name of the device. */
  text: string;
  pathOf(id: string): string;
}

/** Links to the user's own devices that send to a swarm. */
export function OwnProducers({ swarm_id, text, pathOf }: OwnProducersProps) {
  const { data = [] } = useQuery(ownSendersQuery(swarm_id));
  return data.map(({ id, name }) => (
    <ButtonLink key={id} to={pathOf(id)}>
      <Rich text={text} name={<Bdi>{name}</Bdi>} />
    </ButtonLink>
  ));
}
