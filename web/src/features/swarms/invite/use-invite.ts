import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { InvitationRole, SwarmItem } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/limits';
import { useKeptDraft } from '../../../ui/kept-draft.ts';
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
  const [draft, setDraft] = useKeptDraft(`invite:${user_id}`, nothing);
  const [message, setMessage] = useState(draft.message);
  const [role, setRole] = useState<InvitationRole>(params.get('role') === 'consumer' ? 'consumer' : 'producer');
  const [brought, setBrought] = useState('');
  let { text } = draft;

  // what is done leaves the list; what is not stays to be mended and sent again
  const isSeen = job?.state === 'ended' && !draft.sent;
  const [endedKey, setEndedKey] = useState(isSeen ? job.key : null);
  if (job?.state === 'ended' && endedKey !== job.key) {
    setEndedKey(job.key);
    // a page that was reloaded has its text from the draft alone
    text = leftOf({ text, job: draft.sent ? { ...job, text } : job });
    setDraft({ text, sent: false, ...(text === '' && { message: '' }) });
  }

  // after that: it may be one of those, asked once more
  const code = codeOf(params);
  if (code !== brought) {
    setBrought(code);
    if (!text.split('\n').includes(code)) setDraft({ text: withLine(text, code), sent: false });
  }

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
    setDraft({ text: next, sent: false });
    invites.next();
  };

  function send() {
    if (!swarm || messageFault || running) return;
    const { id, name } = swarm;
    setDraft({ sent: true });
    invites.start({ swarm: { id, name }, role, message, text, rows: toSend(checked) });
  }

  return {
    text,
    change,
    append: (more: string) => change(withLine(text, more)),
    role,
    setRole,
    message,
    setMessage(next: string) {
      setMessage(next);
      setDraft({ message: next });
    },
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

/** `sent`: a job has been made of it as it stands. */
const nothing = { text: '', message: '', sent: false };

/** Below what is there. */
const withLine = (text: string, more: string) => (text.trim() === '' ? more : `${text.replace(/\s+$/, '')}\n${more}`);

/** The code that a link brings along, as a line of the list. */
function codeOf(params: URLSearchParams): string {
  const to = params.get('to');
  const resource = params.get('resource');
  return to && resource ? `${to}/${resource}` : '';
}
