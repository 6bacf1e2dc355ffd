import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Note } from '../../ui/notice.tsx';
import './guest-view.css';
import { SwarmHead } from './swarm-head.tsx';

/** The page of a swarm for users who are not in it, without its members. */
export function GuestView({ swarm }: { swarm: SwarmItem }) {
  return (
    <div className="page swarm-page">
      <SwarmHead swarm={swarm} mine={false} />
      <div className="swarm-scroll">
        <div className="swarm-body guest">
          <p className="guest-count numbers">{t.swarms.member_count(swarm.member_count)}</p>
          <p className={swarm.description === '' ? 'guest-none' : 'guest-text'}>
            {swarm.description === '' ? t.swarms.page.no_description : <bdi>{swarm.description}</bdi>}
          </p>
          <Note icon="eye">{swarm.public ? t.swarms.page.guest_public : t.swarms.page.guest_invited}</Note>
          <Note icon="info">{t.swarms.page.guest_join}</Note>
          <div>
            <ButtonLink to="/">{t.swarms.page.to_devices}</ButtonLink>
          </div>
        </div>
      </div>
    </div>
  );
}
