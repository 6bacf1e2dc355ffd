import type { SwarmItem } from '@swarmdeck/bff/contract';
import { Bdi } from '../../ui/bidi.tsx';
import { ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JumpButton } from '../../ui/jump-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import { phone, useMedia } from '../../ui/media.ts';
import { Rich } from '../../ui/rich.tsx';
import { Link } from '../../ui/router.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import './swarm-head.css';
import { words } from './swarm-words.ts';
import { Tag } from './tag.tsx';

export function SwarmBackLink() {
  return (
    <Link
      to="/swarms"
      className={`${buttonClass({ look: 'quiet' })} button-icon`}
      aria-label={words.page.back}
      title={words.page.back}
    >
      <Icon name="back" size={20} />
    </Link>
  );
}

/** The swarm's name, always with its owner's. */
export function SwarmHead({ swarm, mine }: { swarm: SwarmItem; mine: boolean }) {
  const small = useMedia(phone);
  const keys = useKeysEnabled();
  const { id, name, user_id } = swarm;
  const owner = mine ? <Rich text={words.by_you} owner={<Bdi>{user_id}</Bdi>} /> : <Bdi>{user_id}</Bdi>;
  return (
    <header className="swarm-head">
      <SwarmBackLink />
      <div className="swarm-head-words">
        <h1>
          <TruncateMiddle text={name} />
        </h1>
        <p className="swarm-head-owner">
          <Rich text={words.by} owner={owner} />
        </p>
        {swarm.public && <Tag>{words.public}</Tag>}
      </div>
      {swarm.relation !== 'guest' &&
        (small ? (
          <Link
            to={`/swarms/${id}/map`}
            className={`${buttonClass({ look: 'quiet' })} button-icon`}
            aria-label={words.wall}
            title={words.wall}
          >
            <Icon name="system" size={20} />
          </Link>
        ) : (
          <ButtonLink icon="system" to={`/swarms/${id}/map`}>
            {words.wall}
          </ButtonLink>
        ))}
      {mine &&
        (small ? (
          <Link
            to={`/invite?swarm=${id}`}
            className={`${buttonClass({ look: 'quiet' })} button-icon`}
            aria-label={words.invite}
            title={words.invite}
          >
            <Icon name="send" size={20} />
          </Link>
        ) : (
          <ButtonLink look="primary" icon="send" to={`/invite?swarm=${id}`}>
            {words.invite}
            {keys && <KeyHint keys="I" />}
          </ButtonLink>
        ))}
      <JumpButton />
    </header>
  );
}
