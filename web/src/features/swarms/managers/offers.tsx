import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Offer } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { ActionError } from '../../../ui/form-error.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useFocusRestore } from '../../../ui/use-focus-after-removal.ts';
import './managers.css';
import { offersQuery, useManagerStep } from './managers.api.ts';

/** The swarms that the user is asked to manage, to watch or to own, or what is asked about one swarm; nothing if there is none. */
export function Offers({ user_id, swarm_id }: { user_id: string; swarm_id?: string }) {
  const { data = [] } = useQuery(offersQuery);
  const offers = data.filter(({ swarm }) => swarm_id === undefined || swarm.id === swarm_id);
  if (offers.length === 0) return null;
  return (
    <div className="swarms-box offers">
      <Box title={t.managers.offers} count={formatNumber(offers.length)}>
        <ul aria-label={t.managers.offers}>
          {offers.map((offer) => (
            <OfferRow key={offer.swarm.id} {...{ offer, user_id }} isLinked={swarm_id === undefined} />
          ))}
        </ul>
      </Box>
    </div>
  );
}

function OfferRow({ offer, user_id, isLinked }: { offer: Offer; user_id: string; isLinked: boolean }) {
  const { role, swarm } = offer;
  const step = useManagerStep(swarm.id);
  const { show } = useToasts();
  const navigate = useNavigate();
  const accept = async () => {
    await step.mutateAsync({ act: role === 'owner' ? 'take_over' : 'agree', user_id });
    // On its own page, the swarm is there.
    if (!isLinked) return;
    const action = { label: t.managers.open, onAction: () => void navigate(`/swarms/${swarm.id}`) };
    show({ title: t.managers.accepted[role](swarm.name), icon: 'check', action });
  };
  // The buttons of an answered offer are removed.
  const focusRestore = useFocusRestore(() => document.querySelector('main')?.focus({ preventScroll: true }));
  const owner = <Bdi>{swarm.user_id}</Bdi>;
  const name = <Bdi>{swarm.name}</Bdi>;
  const [title, text] =
    role === 'owner'
      ? [t.managers.offers_swarm, t.managers.offers_text]
      : [t.managers.of[role].asks, t.managers.of[role].asks_text];
  return (
    <li className="box-row wraps managers-row" {...focusRestore}>
      <div className="box-row-words">
        <h3 className="offers-title">
          <Rich text={title} owner={owner} swarm={isLinked ? <Link to={`/swarms/${swarm.id}`}>{name}</Link> : name} />
        </h3>
        <p className="quiet">
          <Rich text={text} owner={owner} />
        </p>
        <ActionError error={step.error} />
      </div>
      <div className="line wraps">
        <Button
          size="small"
          look="primary"
          sends
          busy={step.isPending}
          onClick={() => void accept().catch(() => undefined)}
        >
          {role === 'owner' ? t.managers.take_over : t.managers.agree}
        </Button>
        <Button
          size="small"
          sends
          disabled={step.isPending}
          onClick={() => step.mutate(role === 'owner' ? { act: 'end_handover' } : { act: 'remove', user_id })}
        >
          {t.managers.decline}
        </Button>
      </div>
    </li>
  );
}
