import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { InvitationRole, SwarmItem } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/limits';
import { randomKey } from '../../api/sending-key.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { sendEach } from './bulk.ts';
import { checkCodes, countChecked, noneKnown, toSend, withoutLines } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';
import type { InviteCode } from './invite-codes.ts';
import { sendInvitation } from './swarm-writes.api.ts';
import { boardChanged, checkedSwarm, knownQuery } from './swarms.api.ts';

/** How one line ended; null while it is on its way. */
export interface SentLine {
  line: number;
  code: InviteCode;
  again: boolean;
  end: { ok: true } | { ok: false; error: unknown } | { ok: false; stopped: true } | null;
}

/** A press of Send, and what became of each line. */
export interface InviteJob {
  lines: SentLine[];
  running: boolean;
  swarm: { id: string; name: string };
  stop(): void;
}

/** What Invite is filled in with, what would happen, and what has happened. Links fill it in by the URL. */
export function useInvite({ user_id, swarms }: { user_id: string; swarms: SwarmItem[] | undefined }) {
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState(() => codeOf(params));
  const [role, setRole] = useState<InvitationRole>(params.get('role') === 'consumer' ? 'consumer' : 'producer');
  const [message, setMessage] = useState('');
  const [job, setJob] = useState<InviteJob | null>(null);

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

  const change = (next: string) => {
    setText(next);
    if (job && !job.running) setJob(null);
  };

  async function send() {
    if (!swarm || messageFault) return;
    const stop = new AbortController();
    const key = randomKey();
    const rows = toSend(checked).map((row): SentLine => ({ ...row, end: null }));
    const state: InviteJob = { lines: rows, running: true, swarm, stop: () => stop.abort() };
    setJob(state);
    const ended = new Map<number, SentLine['end']>();
    const show = (running: boolean) =>
      setJob({ ...state, running, lines: rows.map((row) => ({ ...row, end: ended.get(row.line) ?? null })) });
    await sendEach({
      rows,
      signal: stop.signal,
      send: ({ code }, index) =>
        sendInvitation({
          swarm_id: swarm.id,
          key: `${key}-${index}`,
          ...code,
          resource_type: role,
          ...(message !== '' && { description: message }),
        }),
      onResult: ({ line }, result) => {
        ended.set(line, result.ok ? { ok: true } : { ok: false, error: result.error });
        show(true);
      },
    });
    for (const { line } of rows) if (!ended.has(line)) ended.set(line, { ok: false, stopped: true });
    show(false);
    // what is done leaves the list; what is not stays to be mended and sent again
    setText(withoutLines(text, new Set([...ended].flatMap(([line, end]) => (end?.ok ? [line] : [])))));
    boardChanged(client, swarm.id);
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
    job,
    send: () => void send(),
    next: () => setJob(null),
  };
}

export type Invite = ReturnType<typeof useInvite>;

/** The code that a link brings along, as a line of the list. */
function codeOf(params: URLSearchParams): string {
  const to = params.get('to');
  const resource = params.get('resource');
  return to && resource ? `${to}/${resource}` : '';
}
