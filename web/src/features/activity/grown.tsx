import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Activity } from '@swarmdeck/bff/contract';
import { ownMembersQuery } from '../../shared/audience/audience.api.ts';
import { joinList } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';

const LeaveAll = lazyPart(async () => (await import('../../shared/audience/leave-all.tsx')).LeaveAll);

type Swarm = NonNullable<Activity['swarm']>;

const named = ['owner', 'manager', 'watcher'] as const;

/** @internal The sentences of a `detail` such as `manager:max,receivers,open`: `{swarm}` is its placeholder. */
export function grownSentences(detail: string): string[] {
  const parts = detail.split(',').map((part) => part.split(':') as [string, string?]);
  const say = t.audience.grown;
  const ofRoles = named.flatMap((role) => {
    const names = parts.flatMap(([kind, name]) => (kind === role && name !== undefined ? [name] : []));
    if (names.length === 0) return [];
    const text = role === 'owner' ? say.owner : say[role](names.length);
    return [text.replace('{names}', joinList(names))];
  });
  const has = (kind: string) => parts.some(([each]) => each === kind);
  const others = (['receivers', 'links', 'guests', 'open', 'listed'] as const).filter(has);
  return [
    ...(ofRoles.length > 0 ? [t.activity.other['swarm.audience_grown'].replace('{detail}', ofRoles.join(', '))] : []),
    ...(has('owner') ? [say.owner_links] : []),
    ...others.map((kind) => say[kind]),
  ];
}

interface GrownProps {
  swarm: Swarm;
  /** The name of the swarm. */
  name: ReactNode;
  detail: string | undefined;
}

/** What has grown in a swarm, with what the user can do about it. */
export function Grown({ swarm, name, detail = '' }: GrownProps) {
  const [isLeaving, setLeaving] = useState(false);
  const hasLeft = useQuery(ownMembersQuery(swarm.id)).data?.total === 0;
  return (
    <>
      {grownSentences(detail).map((text, index) => (
        <span key={text}>
          {index > 0 && ' '}
          <Rich text={text} swarm={name} />
        </span>
      ))}
      {!hasLeft && (
        <span className="line wraps activity-buttons">
          <ButtonLink size="row" to={`/swarms/${swarm.id}?tab=audience`}>
            {t.audience.grown.see}
          </ButtonLink>
          <Button size="row" onClick={() => setLeaving(true)}>
            {t.audience.grown.leave}
          </Button>
        </span>
      )}
      {isLeaving && <LeaveAll swarm={swarm} onClose={() => setLeaving(false)} />}
    </>
  );
}
