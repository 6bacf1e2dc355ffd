import type { SwarmItem } from '@swarmdeck/bff/contract';
import { queryString } from '../../data/filter-params.ts';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { Note } from '../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Time } from '../../ui/texts/time.tsx';
import './guest-view.css';
import { AskToJoin } from './requests/ask-to-join.tsx';
import { deskLayout } from './swarm-desk.tsx';
import { phoneLayout } from './swarm-phone.tsx';

const Offers = lazyPart(async () => (await import('./managers/offers.tsx')).Offers);

/** The page of a swarm for users who are not in it, without its members: what it is for, and how to join. */
export function GuestView({ swarm, user_id }: { swarm: SwarmItem; user_id: string }) {
  const { description, member_count, created_at, active_at } = swarm;
  const { GuestHead } = useMedia(phone) ? phoneLayout : deskLayout;
  return (
    <div className="page swarm-page">
      <GuestHead swarm={swarm} />
      <div className="page-scroll">
        <Offers user_id={user_id} swarm_id={swarm.id} />
        <div className="swarm-body stack gap-4">
          <p className={description === '' ? 'muted' : 'guest-text'}>
            {description === '' ? t.swarms.page.no_description : <Bdi>{description}</Bdi>}
          </p>
          <p className="guest-facts quiet numbers">
            {t.swarms.member_count(member_count)}
            {' · '}
            <Rich text={t.swarms.page.created} time={<Time at={created_at} />} />
            {active_at !== null && (
              <>
                {' · '}
                <Rich text={t.swarms.active} time={<Time at={active_at} />} />
              </>
            )}
          </p>
          <Note icon="eye">{swarm.public ? t.swarms.page.guest_public : t.swarms.page.guest_invited}</Note>
          <section className="guest-join" aria-label={t.swarms.page.join}>
            <h2>{t.swarms.page.join}</h2>
            {swarm.public ? (
              <>
                <AskToJoin swarm={swarm} />
                <p>{t.swarms.page.guest_join}</p>
                <ButtonLink to="/">{t.swarms.page.to_devices}</ButtonLink>
              </>
            ) : (
              <>
                <p>{t.swarms.page.guest_answer}</p>
                <ButtonLink look="primary" to={`/invitations?${queryString({ q: swarm.name })}`}>
                  {t.swarms.page.to_invitations}
                </ButtonLink>
              </>
            )}
          </section>
        </div>
      </div>
    </div>
  );
}
