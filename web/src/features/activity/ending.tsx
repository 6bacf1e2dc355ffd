import { useState } from 'react';
import type { Activity } from '@swarmdeck/bff/contract';
import { dayMs, hourMs } from '@swarmdeck/bff/durations';
import { useActionRequests, useIsUndone } from '../../data/actions/actions.ts';
import { read, send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { useChange } from '../../data/use-change.ts';
import { EndTime } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { useNow } from '../../ui/texts/time.tsx';
import { useFocusAfterRemoval } from '../../ui/browser/use-focus-after-removal.ts';

type Notice = Pick<Activity, 'at' | 'detail' | 'resource'> & { swarm: NonNullable<Activity['swarm']> };

/** The end that a notice is about. About a watcher, it comes an hour before it. */
const noticedEnd = ({ at, detail = '', resource }: Notice) => (resource ? Date.parse(detail) : Date.parse(at) + hourMs);

/** What a tap did: only `extended` has sent something. `date`: the end now. */
interface Outcome {
  what: keyof (typeof t)['activity']['extended'];
  date?: string;
}

/**
 * Sends an end a day after the present one, or at most `ends_at_most`. Nothing is sent if the present end is not the one
 * that was noticed: somebody has extended or removed it since.
 */
async function extendFrom(
  present: { ends_at?: string | undefined; ends_at_most?: string | undefined } | undefined,
  noticed: number,
  put: (ends_at: string) => Promise<unknown>,
): Promise<Outcome> {
  if (!present) return { what: 'over' };
  const { ends_at: date, ends_at_most } = present;
  if (date === undefined) return { what: 'no_end' };
  const end = Date.parse(date);
  if (end > noticed) return { what: 'already', date };
  const most = ends_at_most === undefined ? Number.POSITIVE_INFINITY : Date.parse(ends_at_most);
  if (most <= end) return { what: 'not_longer', date };
  const later = new Date(Math.min(end + dayMs, most)).toISOString();
  await put(later);
  return { what: 'extended', date: later };
}

async function extendMember(swarm_id: string, resource_id: string, noticed: number): Promise<Outcome> {
  const swarms = await read('/api/resources/:id/swarms', { id: resource_id });
  const member = swarms.find(({ id }) => id === swarm_id)?.resources[0];
  const path = pathTo('/api/swarms/:id/resources/:resource_id', { id: swarm_id, resource_id });
  return extendFrom(member, noticed, (ends_at) => send({ method: 'PUT', path, body: { ends_at } }));
}

async function extendWatcher(swarm_id: string, user_id: string, noticed: number): Promise<Outcome> {
  const path = pathTo('/api/swarms/:id/managers', { id: swarm_id });
  const { data: managers } = await send({ path });
  const watcher = managers.find((manager) => manager.user_id === user_id && manager.role === 'watcher');
  return extendFrom(watcher, noticed, (ends_at) =>
    send({ method: 'PUT', path: `${path}/${encodeURIComponent(user_id)}/end`, body: { ends_at } }),
  );
}

/** The button that extends what ends in an hour. It is gone when that end is past. */
export function Extend({ entry }: { entry: Notice }) {
  const { detail = '', resource, swarm } = entry;
  const noticed = noticedEnd(entry);
  const extend = useChange(
    () => (resource ? extendMember(swarm.id, resource.id, noticed) : extendWatcher(swarm.id, detail, noticed)),
    { type: 'membership.changed', data: { swarm_id: swarm.id, ...(resource && { resource_id: resource.id }) } },
  );
  const outcome = extend.data;
  const output = useFocusAfterRemoval<HTMLOutputElement>(outcome);
  const isPast = noticed <= useNow();
  if (isPast && !outcome) return null;
  return (
    <span className="line wraps activity-buttons">
      {!outcome && (
        <Button size="row" sends busy={extend.isPending} onClick={() => extend.mutate()}>
          {t.activity.extend}
        </Button>
      )}
      <output ref={output} tabIndex={-1}>
        {outcome && (
          <Rich
            text={t.activity.extended[outcome.what]}
            date={outcome.date !== undefined && <EndTime at={outcome.date} />}
          />
        )}
      </output>
      <ActionError error={extend.error} />
    </span>
  );
}

interface SeveralProps {
  user_id: string;
  swarm: { id: string; name: string };
  /** All of them end then, and so many had this end. */
  ends_at: string;
  amount: number;
}

/** Extends several devices by one action, or leads to the user's members of the swarm. It is gone when their end is past. */
export function ExtendAll({ user_id, swarm, ends_at, amount }: SeveralProps) {
  const { start } = useActionRequests();
  const [started, setStarted] = useState<string>();
  const isUndone = useIsUndone(started);
  const isStarted = started !== undefined && !isUndone;
  const output = useFocusAfterRemoval<HTMLOutputElement>(isStarted);
  const isPast = Date.parse(ends_at) <= useNow();
  if (isPast && !isStarted) return null;
  const extend = async () => {
    const id = crypto.randomUUID();
    setStarted(id);
    const filter = {
      list: 'ending_members',
      swarm_id: swarm.id,
      query: `${new URLSearchParams({ ends_at })}`,
    } as const;
    const about = { swarm: { id: swarm.id, name: swarm.name }, ends_at };
    const action = await start({ kind: 'extend_member', about, items: [], filter, expected: amount }, id);
    // The notice that it failed says why.
    if (!action) setStarted(undefined);
  };
  return (
    <span className="line wraps activity-buttons">
      {!isStarted && (
        <Button size="row" sends onClick={() => void extend()}>
          {t.activity.extend_all}
        </Button>
      )}
      <output ref={output} tabIndex={-1}>
        {isStarted && t.activity.extending_all}
      </output>
      <ButtonLink size="row" to={`/swarms/${swarm.id}?${new URLSearchParams({ q: user_id })}`}>
        {t.activity.show_ending}
      </ButtonLink>
    </span>
  );
}
