import type { FC, ReactNode } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { IconButton } from '../../ui/buttons/button.tsx';
import { Tag } from '../../ui/symbols/chip.tsx';
import { HeadName, JumpButton, PageHead } from '../../ui/pages/page-head.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { canShare, share } from '../../ui/browser/share.ts';
import './swarm-head.css';

export const backToSwarms = () => ({ to: '/swarms', label: t.swarms.page.back });

/** What the user may do on the page of a swarm beside inviting. */
export interface SwarmHeadActions {
  /** Asks to join with more devices. */
  onAsk: (() => void) | undefined;
  onStopWatching: (() => void) | undefined;
}

/** What differs between a phone and a desk. */
export interface SwarmLayout {
  Head: FC<SwarmHeadActions>;
  /** For users who are not in the swarm. */
  GuestHead: FC<{ swarm: SwarmItem }>;
  Tabs: FC;
}

/** The header of the swarm page, with the names of the swarm and its owner. `children`: its buttons. */
export function SwarmHead({ swarm, children }: { swarm: SwarmItem; children?: ReactNode }) {
  const { name, user_id, relation } = swarm;
  const back =
    relation === 'guest' && swarm.listed ? { to: '/discover', label: t.swarms.page.back_to_discover } : backToSwarms();
  const owner =
    relation === 'owner' ? <Rich text={t.swarms.by_you} owner={<Bdi>{user_id}</Bdi>} /> : <Bdi>{user_id}</Bdi>;
  return (
    <PageHead className="swarm-head" back={back}>
      <div className="fill swarm-head-words">
        <HeadName text={name} />
        <p className="swarm-head-owner">
          <Rich text={t.swarms.by} owner={owner} />
        </p>
        {swarm.public && <Tag>{t.swarms.public}</Tag>}
        {(relation === 'manager' || relation === 'watcher') && <Tag>{t.managers.of[relation].name}</Tag>}
      </div>
      {children}
      <JumpButton />
    </PageHead>
  );
}

/** On a phone: the menu of other apps. */
export function ShareSwarm({ swarm: { id, name } }: { swarm: SwarmItem }) {
  if (!canShare()) return null;
  return (
    <IconButton
      icon="upload"
      look="quiet"
      label={t.shell.kit.share}
      onClick={() => share({ title: name, url: `${location.origin}/swarms/${id}` })}
    />
  );
}
