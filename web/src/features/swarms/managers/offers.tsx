import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SwarmOffer } from '@swarmdeck/bff/contract';
import { consentLimits, hasPossibleEnd } from '../../../shared/ends/end-choices.ts';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { useNow } from '../../../ui/texts/time.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { AgreeUntil } from './change-watcher-end.tsx';
import { DeviceOffer } from './device-offer.tsx';
import './managers.css';
import { offersQuery, useManagerStep } from './managers.api.ts';
import { OfferRow } from './offer-row.tsx';

interface OffersProps {
  user_id: string;
  /** Only what is asked about this swarm. */
  swarm_id?: string;
  /** Not the devices. */
  isOfSwarms?: boolean;
}

/** The devices that the user is offered, and the swarms that the user is asked to manage, to watch or to own; nothing if there is none. */
export function Offers({ user_id, swarm_id, isOfSwarms = swarm_id !== undefined }: OffersProps) {
  const { data = [] } = useQuery(offersQuery);
  const offers = data.filter((offer) =>
    'swarm' in offer ? swarm_id === undefined || offer.swarm.id === swarm_id : !isOfSwarms,
  );
  if (offers.length === 0) return null;
  return (
    <div className="swarms-box offers">
      <Box title={t.managers.offers} count={formatNumber(offers.length)}>
        <ul aria-label={t.managers.offers}>
          {offers.map((offer) =>
            'swarm' in offer ? (
              <SwarmOfferRow key={offer.swarm.id} offer={offer} user_id={user_id} isLinked={swarm_id === undefined} />
            ) : (
              <DeviceOffer key={offer.resource.id} offer={offer} user_id={user_id} />
            ),
          )}
        </ul>
      </Box>
    </div>
  );
}

function SwarmOfferRow({ offer, user_id, isLinked }: { offer: SwarmOffer; user_id: string; isLinked: boolean }) {
  const { role, swarm, ends_at } = offer;
  const [isChoosing, setChoosing] = useState(false);
  const now = useNow();
  const step = useManagerStep(swarm.id);
  const { show } = useToasts();
  const navigate = useNavigate();
  const tellAccepted = () => {
    // On its own page, the swarm is there.
    if (!isLinked) return;
    const action = { label: t.managers.open, onAction: () => void navigate(`/swarms/${swarm.id}`) };
    show({ title: t.managers.accepted[role](swarm.name), icon: 'check', action });
  };
  const accept = async () => {
    await step.mutateAsync({ act: role === 'owner' ? 'take_over' : 'agree', user_id });
    tellAccepted();
  };
  const owner = <Bdi>{swarm.user_id}</Bdi>;
  const name = <Bdi>{swarm.name}</Bdi>;
  const [title, text] =
    role === 'owner'
      ? [t.managers.offers_swarm, t.managers.offers_text]
      : [t.managers.of[role].asks, t.managers.of[role].asks_text];
  return (
    <OfferRow
      title={
        <Rich text={title} owner={owner} swarm={isLinked ? <Link to={`/swarms/${swarm.id}`}>{name}</Link> : name} />
      }
      text={
        <>
          <Rich text={text} owner={owner} />
          {ends_at !== undefined && (
            <>
              {' '}
              <Rich text={t.ends.offered} date={<EndTime at={ends_at} />} />
            </>
          )}
        </>
      }
      error={step.error}
      accept={role === 'owner' ? t.managers.take_over : t.managers.agree}
      isAccepting={step.isPending}
      isBusy={step.isPending}
      onAccept={accept}
      onDecline={() => step.mutate(role === 'owner' ? { act: 'end_handover' } : { act: 'remove', user_id })}
    >
      {role === 'watcher' && hasPossibleEnd(now, consentLimits(ends_at)) && (
        <Button size="small" sends disabled={step.isPending} onClick={() => setChoosing(true)}>
          {t.ends.agree_until}
        </Button>
      )}
      {isChoosing && (
        <AgreeUntil
          swarm_id={swarm.id}
          swarm={swarm.name}
          user_id={user_id}
          ends_at={ends_at}
          onAgreed={tellAccepted}
          onClose={() => setChoosing(false)}
        />
      )}
    </OfferRow>
  );
}
