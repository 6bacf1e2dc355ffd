import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { InvitationRole, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/limits';
import { linesOf, useJobState } from '../../../api/jobs/bulk-job.ts';
import { usePersistedDraft } from '../../../ui/persisted-draft.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import type { UrlCodec } from '../../../ui/url-state.ts';
import { checkedSwarm, knownQuery } from '../swarms.api.ts';
import { checkCodes, countChecked, noneKnown, toSend } from './invite-check.ts';
import { readCodes, withRole } from './invite-codes.ts';
import type { ColumnAnswers, ColumnUse } from './invite-codes.ts';
import { failuresOf, leftOf } from './remaining-lines.ts';
import { useInvites } from './invite.job.tsx';

/** The state of the Invite page: the form, the check of its lines, and the running job. Links fill in the form. */
export function useInvite({ user_id, swarms }: { user_id: string; swarms: SwarmItem[] | undefined }) {
  const [url, setUrl] = useUrlState(inviteUrl);
  const invites = useInvites();
  const job = useJobState(invites, invites.current) ?? null;
  const [draft, setDraft] = usePersistedDraft(`invite:${user_id}`, nothing);
  const [message, setMessage] = useState(draft.message);
  const [role, setRole] = useState<InvitationRole>(url.role);
  const [brought, setBrought] = useState('');
  const { text } = draft;

  const wanted = url.swarm;
  // With one swarm there is no choice.
  const only = swarms?.length === 1 ? swarms[0] : undefined;
  const swarm = swarms?.find(({ id }) => id === wanted) ?? (wanted === null ? only : undefined);
  const small = swarm !== undefined && swarm.member_count <= checkedSwarm;
  const known = useQuery({ ...knownQuery(swarm?.id ?? ''), enabled: small }).data;
  const { lines, columns } = useMemo(() => readCodes(text, answersOf(draft.columns)), [text, draft.columns]);
  // The result of a job that ended while the page was closed.
  const isSeen = job?.state === 'ended' && !draft.sent;
  const [failures, setFailures] = useState(() =>
    isSeen ? { of: job.about.swarm.id, failed: failuresOf(linesOf(job)) } : null,
  );
  const failed = failures && failures.of === swarm?.id ? failures.failed : undefined;
  const checked = useMemo(
    () => checkCodes({ lines, role, user_id, known: known ?? noneKnown, ...(failed && { failed }) }),
    [lines, role, user_id, known, failed],
  );

  const [endedKey, setEndedKey] = useState(isSeen ? job.key : null);
  const code = url.code;
  if (job?.state === 'ended' && endedKey !== job.key) {
    setEndedKey(job.key);
    const of = job.about.swarm.id;
    const before = failures?.of === of ? failures.failed : [];
    setFailures({ of, failed: new Map([...before, ...failuresOf(linesOf(job))]) });
    const left = leftOf({ text, isSent: draft.sent, lines, job: { about: job.about, lines: linesOf(job) } });
    setDraft({ text: left, sent: false, ...(left === '' && { message: '', columns: '' }) });
  } else if (code !== brought) {
    // After the lines of an ended job were removed, because the link may contain one of them.
    setBrought(code);
    if (!text.split('\n').includes(code)) setDraft({ text: withLine(text, code), sent: false });
  }

  const counts = useMemo(() => countChecked(checked), [checked]);
  const isMessageTooLong = codePoints(message) > limits.descriptionLength;

  const running = job !== null && job.state !== 'ended';
  const change = (next: string) => {
    setDraft({ text: next, sent: false, ...(next.trim() === '' && { columns: '' }) });
    invites.dismiss();
  };
  const openColumns = columns.filter(({ use }) => use === undefined);

  function send() {
    if (!swarm || isMessageTooLong || running || openColumns.length > 0) return;
    const { id, name } = swarm;
    setDraft({ sent: true });
    void invites.start({ about: { swarm: { id, name }, role, message }, source: toSend(checked) });
  }

  return {
    text,
    change,
    append: (more: string) => change(withLine(text, more)),
    setLineRole: (line: number, next: MemberRole) =>
      change(withRole(text, { line, role: next }, answersOf(draft.columns))),
    role,
    setRole,
    message,
    setMessage(next: string) {
      setMessage(next);
      setDraft({ message: next });
    },
    isMessageTooLong,
    swarm,
    /** The swarm is in the URL. The user may not own the one in a link. */
    chooseSwarm: (id: string) => setUrl({ swarm: id }),
    lines,
    checked,
    columns,
    openColumns,
    useColumns(uses: readonly (readonly [key: string, use: ColumnUse])[]) {
      const answers = new URLSearchParams(draft.columns);
      for (const [key, use] of uses) answers.set(key, use);
      setDraft({ columns: answers.toString() });
    },
    counts,
    ready: counts.ready + counts.again,
    /** The swarm is too large to check the lines against it. */
    unchecked: swarm !== undefined && !small,
    wantsFile: url.csv,
    invites,
    job,
    running,
    send,
    next: invites.dismiss,
  };
}

export type Invite = ReturnType<typeof useInvite>;

/** `sent`: the text has not changed since a job was made from it. */
const nothing = { text: '', message: '', columns: '', sent: false };

/** The answers about unknown columns, stored as a query string. */
const answersOf = (columns: string) => new Map(new URLSearchParams(columns)) as ColumnAnswers;

/** Appends a line. */
const withLine = (text: string, more: string) => (text.trim() === '' ? more : `${text.trimEnd()}\n${more}`);

/** A link to the page fills in the form. Only the swarm is changed later. */
const inviteUrl: UrlCodec<{ swarm: string | null; role: InvitationRole; code: string; csv: boolean }> = {
  read(params) {
    const [to, resource] = [params.get('to'), params.get('resource')];
    return {
      swarm: params.get('swarm'),
      role: params.get('role') === 'consumer' ? 'consumer' : 'producer',
      /** A line for the list. */
      code: to && resource ? `${to}/${resource}` : '',
      /** Whether many codes are expected, from a file. */
      csv: params.get('csv') === '1',
    };
  },
  write: ({ swarm }) => ({ swarm: swarm ?? undefined }),
};
