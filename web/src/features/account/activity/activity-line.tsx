import type { Activity } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import { Time } from '../../../ui/time.tsx';
import { parseUserAgent } from '../user-agent.ts';
import './activity.css';

const icons: Record<string, IconName> = {
  invitation: 'inbox',
  member: 'swarm',
  resource: 'device',
  swarm: 'swarm',
  account: 'user',
};

/** One entry of the log as a sentence. Names are links, except for what was deleted. */
export function ActivityLine({ entry, user_id, isUnread }: { entry: Activity; user_id: string; isUnread: boolean }) {
  const { kind, actor, at } = entry;
  return (
    <li className="box-row activity-line">
      <Icon name={icons[kind.split('.')[0]!] ?? 'info'} />
      <p className="box-row-words activity-words">
        {isUnread && <span className="activity-unread">{t.activity.unread} </span>}
        <Rich
          text={t.activity[actor === user_id ? 'you' : 'other'][kind]}
          actor={<Bdi>{actor}</Bdi>}
          device={<DeviceName entry={entry} />}
          swarm={<SwarmName entry={entry} />}
          detail={<Detail entry={entry} />}
        />
      </p>
      <span className="activity-time">
        <Time at={at} />
      </span>
    </li>
  );
}

function DeviceName({ entry: { kind, resource } }: { entry: Activity }) {
  if (!resource) return null;
  if (resource.name === undefined)
    return <Rich text={t.activity.hidden_device} owner={<Bdi>{resource.user_id}</Bdi>} />;
  if (kind === 'resource.deleted') return <Bdi>{resource.name}</Bdi>;
  return (
    <Link to={`/devices/${resource.id}`}>
      <Bdi>{resource.name}</Bdi>
    </Link>
  );
}

function SwarmName({ entry: { kind, swarm } }: { entry: Activity }) {
  if (!swarm) return null;
  if (kind === 'swarm.deleted') return <Bdi>{swarm.name}</Bdi>;
  return (
    <Link to={`/swarms/${swarm.id}`}>
      <Bdi>{swarm.name}</Bdi>
    </Link>
  );
}

function Detail({ entry: { kind, detail = '' } }: { entry: Activity }) {
  if (kind === 'account.signed_in') {
    const { browser, system } = parseUserAgent(detail);
    if (browser && system) return t.account.sessions.on(browser, system);
    return browser ?? system ?? t.account.sessions.unknown;
  }
  const roles: Record<string, string> = t.shell.roles;
  const isRole = kind.startsWith('invitation.') || kind.startsWith('member.');
  return isRole ? roles[detail] : <Bdi>{detail}</Bdi>;
}
