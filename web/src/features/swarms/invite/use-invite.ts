import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { InvitationRole, SwarmItem } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/limits';
import { useSearchParams } from '../../../ui/router.tsx';
import { checkedSwarm, knownQuery } from '../swarms.api.ts';
import { checkCodes, countChecked, noneKnown, toSend } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';
import { leftOf } from './invite-ends.ts';
import { useInviteJob, useInvites } from './invites-of.ts';

/** What Invite is filled in with, what would happen, and what has happened. Links fill it in by the URL. */
export function useInvite({ user_id, swarms }: { user_id: string; swarms: SwarmItem[] | undefined }) {
  const [params, setParams] = useSearchParams();
  const { invites } = useInvites(user_id);
  const job = useInviteJob(invites);
  const [text, setText] = useState(() => codeOf(params));
  const [role, setRole] = useState<InvitationRole>(params.get('role') === 'consumer' ? 'consumer' : 'producer');
  const [message, setMessage] = useState('');

  const asked = params.get('swarm');
  // with one swarm there is nothing to choose
  const only = swarms?.length === 1 ? swarms[0] : undefined;
  const swarm = swarms?.find(({ id }) => id === asked) ?? (asked === null ? only : undefined);
  const small = swarm !== undefined && swarm.member_count <= checkedSwarm;
  const known = useQuery({ ...knownQuery(swarm?.id ?? ''), enabled: small }).data;
  const lines = useMemo(() => readCodes(text), [text]);
  const checked = useMemo(
    () => checkCodes({ lines, role, user_id, known: known ?? noneKnown }),
    [lines, role, user_id, known],
  );
  const counts = useMemo(() => countChecked(checked), [checked]);
  const messageFault = codePoints(message) > limits.descriptionLength;

  const running = job !== null && job.state !== 'ended';
  const change = (next: string) => {
    setText(next);
    invites.next();
  };

  // what is done leaves the list; what is not stays to be mended and sent again
  const [endedKey, setEndedKey] = useState<string | null>(null);
  if (job?.state === 'ended' && endedKey !== job.key) {
    setEndedKey(job.key);
    setText(leftOf({ text, job }));
  }

  function send() {
    if (!swarm || messageFault || running) return;
    const { id, name } = swarm;
    invites.start({ swarm: { id, name }, role, message, text, rows: toSend(checked) });
  }

  return {
    text,
    change,
    append: (more: string) => change(text.trim() === '' ? more : `${text.replace(/\s+$/, '')}\n${more}`),
    role,
    setRole,
    message,
    setMessage,
    messageFault,
    swarm,
    /** Which one is said in the link; it may be none of mine. */
    chooseSwarm(id: string) {
      const next = new URLSearchParams(params);
      next.set('swarm', id);
      setParams(next, { replace: true });
    },
    checked,
    counts,
    ready: counts.ready + counts.again,
    /** Too large to be looked through beforehand. */
    unchecked: swarm !== undefined && !small,
    wantsFile: params.get('csv') === '1',
    invites,
    job,
    running,
    send,
    next: invites.next,
  };
}

export type Invite = ReturnType<typeof useInvite>;

/** The code that a link brings along, as a line of the list. */
function codeOf(params: URLSearchParams): string {
  const to = params.get('to');
  const resource = params.get('resource');
  return to && resource ? `${to}/${resource}` : '';
}
