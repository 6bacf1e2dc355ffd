import type { ReactNode } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { ButtonLink, IconButton, IconLink } from '../../ui/button.tsx';
import { CommandKey } from '../../ui/keys-provider.tsx';
import { phone, useMedia } from '../../ui/media.ts';
import { HeadName, JumpButton, PageHead } from '../../ui/page-head.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { canShare, share } from '../../ui/share.ts';
import './swarm-head.css';
import { Tag } from '../../ui/chip.tsx';

export const backToSwarms = () => ({ to: '/swarms', label: t.swarms.page.back });

interface SwarmHeadProps {
  swarm: SwarmItem;
  mine: boolean;
  manages: boolean;
  children?: ReactNode;
}

/** The header of the swarm page, with the names of the swarm and its owner. `children`: further buttons. */
export function SwarmHead({ swarm, mine, manages, children }: SwarmHeadProps) {
  const small = useMedia(phone);
  const { id, name, user_id } = swarm;
  const back =
    swarm.relation === 'guest' && swarm.listed
      ? { to: '/discover', label: t.swarms.page.back_to_discover }
      : backToSwarms();
  const owner = mine ? <Rich text={t.swarms.by_you} owner={<Bdi>{user_id}</Bdi>} /> : <Bdi>{user_id}</Bdi>;
  return (
    <PageHead className="swarm-head" back={back}>
      <div className="fill swarm-head-words">
        <HeadName text={name} />
        <p className="swarm-head-owner">
          <Rich text={t.swarms.by} owner={owner} />
        </p>
        {swarm.public && <Tag>{t.swarms.public}</Tag>}
        {(swarm.relation === 'manager' || swarm.relation === 'watcher') && (
          <Tag>{t.managers.of[swarm.relation].name}</Tag>
        )}
      </div>
      {swarm.relation !== 'guest' && !small && (
        <ButtonLink icon="system" to={`/swarms/${id}/map`}>
          {t.swarms.wall}
        </ButtonLink>
      )}
      {children}
      {manages &&
        (small ? (
          <IconLink icon="send" to={`/invite?swarm=${id}`} label={t.swarms.invite} />
        ) : (
          <ButtonLink look="primary" icon="send" to={`/invite?swarm=${id}`}>
            {t.swarms.invite}
            <CommandKey scope="own_swarm" id="invite" />
          </ButtonLink>
        ))}
      {small && canShare() && (
        <IconButton
          icon="upload"
          look="quiet"
          label={t.shell.kit.share}
          onClick={() => share({ title: name, url: `${location.origin}/swarms/${id}` })}
        />
      )}
      <JumpButton />
    </PageHead>
  );
}
