import { memo, type ReactNode } from 'react';
import { operatorActor, serverActor } from '@swarmdeck/bff/field-rules';
import type { Activity } from '@swarmdeck/bff/contract';
import { EndTime, UntilDate } from '../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon, type IconName } from '../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { parseUserAgent } from '@swarmdeck/bff/user-agent';
import type { ActivityGroup } from './activity-groups.ts';
import { Extend, ExtendAll } from './ending.tsx';
import { Grown } from './grown.tsx';
import '../../ui/texts/name-link.css';
import './activity.css';

const icons: Record<string, IconName> = {
  invitation: 'inbox',
  member: 'swarm',
  resource: 'device',
  swarm: 'swarm',
  account: 'user',
  'resource.silent': 'warning',
  'swarm.silent': 'warning',
  'resource.back': 'check',
  'resource.imported': 'upload',
  'swarm.audience_grown': 'eye',
  'account.signed_in_new': 'warning',
  'account.server_restored': 'warning',
  'member.ending': 'clock',
  'member.ended': 'clock',
  'swarm.watcher_ending': 'clock',
  'swarm.watcher_ended': 'clock',
  'swarm.watcher_expired': 'clock',
  'invitation.request_expired': 'clock',
};

interface EntryProps {
  user_id: string;
  isUnread: (entry: Activity) => boolean;
}

interface ActivityGroupLineProps extends EntryProps {
  group: ActivityGroup;
  /** How many entries of it are not loaded; undefined if there may be some. */
  more: number | undefined;
}

/**
 * One entry, or a bulk action with its entries. The lines that are there do not
 * render again when older ones follow.
 */
export const ActivityGroupLine = memo(function ActivityGroupLine(options: ActivityGroupLineProps) {
  const {
    group: { kind, entries },
    more,
    ...props
  } = options;
  const [newest] = entries;
  if (kind === null) return <ActivityLine entry={newest} {...props} />;
  const isOwn = newest.actor === props.user_id;
  return (
    <li>
      <details className="activity-group">
        <summary>
          <Line entry={newest} isUnread={entries.some(props.isUnread)} end={<Icon name="down" size={16} />}>
            <Sentence
              text={
                isLeaving(newest, props.user_id)
                  ? t.activity.left_many
                  : t.activity[isOwn ? 'you_many' : 'other_many'][kind]
              }
              entry={newest}
              devices={t.activity.devices(formatNumber(entries.length + (more ?? 0)), more === undefined)}
            />
          </Line>
        </summary>
        <ul>
          {entries.map((entry) => (
            <ActivityLine key={entry.id} entry={entry} {...props} />
          ))}
        </ul>
      </details>
    </li>
  );
}, isSameLine);

function isSameLine({ group: before, ...was }: ActivityGroupLineProps, { group, ...now }: ActivityGroupLineProps) {
  return (
    was.user_id === now.user_id &&
    was.isUnread === now.isUnread &&
    was.more === now.more &&
    before.kind === group.kind &&
    before.entries.length === group.entries.length &&
    before.entries.every((entry, index) => entry === group.entries[index])
  );
}

/** Another user has deleted a swarm that devices of this user were in or invited to. */
const isEndOfSwarm = ({ kind, detail }: Activity) => kind === 'swarm.deleted' && detail !== undefined;

/** One entry of the log as a sentence. Names are links, except for what was deleted. */
function ActivityLine({ entry, user_id, isUnread }: EntryProps & { entry: Activity }) {
  const text = isEndOfSwarm(entry) ? t.activity.deleted_swarm : sentenceOf(entry, user_id);
  const { kind, detail, swarm } = entry;
  return (
    <li>
      <Line entry={entry} isUnread={isUnread(entry)}>
        {kind === 'swarm.audience_grown' && swarm ? (
          <Grown swarm={swarm} name={<SwarmName entry={entry} />} detail={detail} />
        ) : (
          <Sentence text={text} entry={entry} />
        )}
        {kind === 'account.server_restored' && (
          <span className="line wraps activity-buttons">
            <ButtonLink size="row" to="/swarms">
              {t.activity.show_swarms}
            </ButtonLink>
            <ButtonLink size="row" to="/account">
              {t.activity.show_account}
            </ButtonLink>
          </span>
        )}
        {canExtend(entry) && <Extend entry={entry} />}
        {kind === 'member.ending' && !entry.resource && swarm && (
          <ExtendAll user_id={user_id} swarm={swarm} ends_at={detail ?? ''} amount={entry.amount ?? 1} />
        )}
      </Line>
    </li>
  );
}

/** Another user has taken the own device out of a swarm. */
const isLeaving = ({ kind, actor, resource }: Activity, user_id: string) =>
  kind === 'member.removed' && actor !== user_id && actor === resource?.user_id;

/** What ends soon, of one device or a watcher. */
const canExtend = (entry: Activity): entry is Activity & { swarm: NonNullable<Activity['swarm']> } =>
  entry.swarm !== undefined &&
  (entry.kind === 'swarm.watcher_ending' || (entry.kind === 'member.ending' && entry.resource !== undefined));

const isOfName = (kind: string): kind is keyof typeof t.activity.name_taken => kind in t.activity.name_taken;

/** Exported for tests. */
export function sentenceOf(entry: Activity, user_id: string): string {
  const { kind, actor, resource, amount = 1 } = entry;
  if (actor === serverActor && isOfName(kind))
    return kind === 'resource.offer_withdrawn' && !resource
      ? t.activity.name_taken_many(amount)
      : t.activity.name_taken[kind];
  if (isLeaving(entry, user_id)) return t.activity.left;
  if (!resource && kind === 'resource.silent') return t.activity.silent_many(amount);
  if (!resource && kind === 'swarm.silent') return t.activity.swarm_silent_many(amount);
  if (!resource && kind === 'member.ending') return t.activity.ending_many(amount);
  if (!resource && kind === 'resource.back') return t.activity.back_many(amount);
  const sentence = t.activity[actor === user_id ? 'you' : 'other'][kind];
  const isDeviceKey = resource !== undefined && kind.startsWith('account.key_');
  return isDeviceKey ? sentence.replace('{detail}', t.activity.key_of_device) : sentence;
}

interface LineProps {
  entry: Activity;
  isUnread: boolean;
  end?: ReactNode;
  children: ReactNode;
}

function Line({ entry: { kind, at }, isUnread, end, children }: LineProps) {
  return (
    <span className="box-row activity-line">
      <Icon name={icons[kind] ?? icons[kind.split('.')[0]!] ?? 'info'} />
      <span className="box-row-words activity-words">
        {isUnread && <span className="activity-unread">{t.activity.unread} </span>}
        {children}
      </span>
      <span className="activity-time">
        <Time at={at} />
      </span>
      {end}
    </span>
  );
}

/** `devices`: of several entries. It has no links, because a click on it shows the entries. */
function Sentence({ text, entry, devices }: { text: string; entry: Activity; devices?: string }) {
  return (
    <Rich
      text={text}
      actor={entry.actor === operatorActor ? t.activity.operator : <Name name={entry.actor} />}
      device={<DeviceName entry={entry} />}
      devices={devices}
      swarm={devices === undefined ? <SwarmName entry={entry} /> : <Name name={entry.swarm?.name} />}
      detail={<Detail entry={entry} />}
    />
  );
}

/** A name within a sentence, truncated if it is long. */
function Name({ name }: { name: string | undefined }) {
  return (
    <Bdi className="activity-name one-line" title={name}>
      {name}
    </Bdi>
  );
}

function DeviceName({ entry: { kind, resource } }: { entry: Activity }) {
  if (!resource) return null;
  if (resource.name === undefined)
    return <Rich text={t.activity.hidden_device} owner={<Name name={resource.user_id} />} />;
  // Its former owner does not find it any more.
  if (kind === 'resource.deleted' || kind === 'resource.handed_over') return <Name name={resource.name} />;
  return (
    <Link to={`/devices/${resource.id}`} className="name-link">
      <Name name={resource.name} />
    </Link>
  );
}

function SwarmName({ entry: { kind, swarm } }: { entry: Activity }) {
  if (!swarm) return null;
  if (kind === 'swarm.deleted') return <Name name={swarm.name} />;
  return (
    <Link to={`/swarms/${swarm.id}`} className="name-link">
      <Name name={swarm.name} />
    </Link>
  );
}

function browserName(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser && system) return t.account.sessions.on(browser, system);
  return browser ?? system ?? t.account.sessions.unknown;
}

/** How the user has signed in or has set a new password; the label of a provider. */
function wayName(way: string): string {
  const ways: Record<string, string> = t.activity.ways;
  return ways[way] ?? way.replace(/^provider:/, '');
}

function Detail({ entry: { kind, detail = '' } }: { entry: Activity }) {
  if (kind === 'account.recovered' || kind === 'account.signed_in' || kind === 'account.signed_in_new') {
    const [way = '', browser] = detail.split('\n');
    // Older entries have only the browser.
    if (browser === undefined) return browserName(detail);
    return (
      <>
        {browserName(browser)} (<Bdi>{wayName(way)}</Bdi>)
      </>
    );
  }
  if (kind === 'account.server_restored') return <EndTime at={detail} />;
  if (kind === 'member.end_changed' || kind === 'member.ending' || kind.startsWith('invitation.end_'))
    return detail === '' ? t.activity.no_end : <EndTime at={detail} />;
  const roles: Record<string, string> = t.roles_in_sentences;
  const isRole = kind.startsWith('invitation.') || kind.startsWith('member.');
  if (!isRole) return <Name name={detail} />;
  const [role = '', end] = detail.split('\n');
  if (end === undefined) return roles[role];
  return (
    <>
      {roles[role]}, <UntilDate at={end} />
    </>
  );
}
