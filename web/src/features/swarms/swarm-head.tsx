import type { SwarmItem } from '@swarmdeck/bff/contract';
import { Bdi } from '../../ui/bidi.tsx';
import { ButtonLink, IconLink } from '../../ui/button.tsx';
import { JumpButton } from '../../ui/jump-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import { phone, useMedia } from '../../ui/media.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Rich } from '../../ui/rich.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import './swarm-head.css';
import { words } from './swarm-words.ts';
import { Tag } from './tag.tsx';

export const backToSwarms = { to: '/swarms', label: words.page.back };

/** The swarm's name, always with its owner's. */
export function SwarmHead({ swarm, mine }: { swarm: SwarmItem; mine: boolean }) {
  const small = useMedia(phone);
  const keys = useKeysEnabled();
  const { id, name, user_id } = swarm;
  const owner = mine ? <Rich text={words.by_you} owner={<Bdi>{user_id}</Bdi>} /> : <Bdi>{user_id}</Bdi>;
  return (
    <PageHead className="swarm-head" back={backToSwarms}>
      <div className="swarm-head-words">
        <h1>
          <TruncateMiddle text={name} />
        </h1>
        <p className="swarm-head-owner">
          <Rich text={words.by} owner={owner} />
        </p>
        {swarm.public && <Tag>{words.public}</Tag>}
      </div>
      {swarm.relation !== 'guest' && !small && (
        <ButtonLink icon="system" to={`/swarms/${id}/map`}>
          {words.wall}
        </ButtonLink>
      )}
      {mine &&
        (small ? (
          <IconLink icon="send" to={`/invite?swarm=${id}`} label={words.invite} />
        ) : (
          <ButtonLink look="primary" icon="send" to={`/invite?swarm=${id}`}>
            {words.invite}
            {keys && <KeyHint keys="I" />}
          </ButtonLink>
        ))}
      <JumpButton />
    </PageHead>
  );
}
