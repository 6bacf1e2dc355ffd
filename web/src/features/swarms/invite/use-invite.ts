import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ActionOf, MemberRole, SwarmList } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/field-rules';
import { useActionRequests, useShowsActions } from '../../../data/actions/actions.ts';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { usePersistedDraft } from '../../../ui/persisted-draft.ts';
import { useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { useUrlState, type UrlCodec } from '../../../ui/url-state.ts';
import { labelOf } from '../../../data/invite-link.ts';
import { swarmQuery } from '../swarms.api.ts';
import { managesSwarm } from '../swarm-rights.ts';
import { toSend, type Problem } from './invite-check.ts';
import { codeLine, oneCodePerLine } from './invite-codes.ts';
import { failuresOf, remainingText } from './remaining-lines.ts';
import { useInviteCodes, withLine } from './use-invite-codes.ts';
import { noTerms, termsAgain, useInviteTerms } from './use-invite-terms.ts';
import { useSentLines } from './use-sent-lines.ts';

interface InviteOptions {
  user_id: string;
  /** The swarms to choose from, which match `q`. */
  swarms: SwarmList | undefined;
  q: string;
}

/** The state of the Invite page: the form, its lines, and the last action. Links fill in the form. */
export function useInvite({ user_id, swarms, q }: InviteOptions) {
  const [url, setUrl] = useUrlState(inviteUrl);
  const { start, dismiss } = useActionRequests();
  const action = useActions().findLast((each): each is ActionOf<'invite'> => each.kind === 'invite');
  const sent = useSentLines(action);
  useShowsActions('invite');
  const [draft, setDraft] = usePersistedDraft(`invite:${user_id}`, nothing);
  // The URL follows a moment later.
  const [role, setRole] = useState(url.role);
  const [brought, setBrought] = useState('');
  const text = useMemo(() => oneCodePerLine(draft.text), [draft.text]);

  const wanted = url.swarm;
  // With one swarm there is no choice.
  const only = q === '' && swarms?.total === 1 ? swarms.items[0] : undefined;
  const listed = swarms?.items.find(({ id }) => id === wanted) ?? (wanted === null ? only : undefined);
  // One of many swarms may not be listed.
  const isUnlisted = wanted !== null && (swarms !== undefined || q !== '') && !listed;
  const unlisted = useQuery({ ...swarmQuery(wanted ?? ''), enabled: isUnlisted }).data?.swarm;
  const swarm = listed ?? (isUnlisted && unlisted && managesSwarm(unlisted) ? unlisted : undefined);
  const [terms, setTerms] = useInviteTerms(user_id, swarm?.id);
  const { message, choice, date } = terms;
  const end = useOptionalEnd([{ choice, date }, setTerms]);
  const [failures, setFailures] = useState<{ of: string; failed: ReadonlyMap<string, Problem> } | null>(null);

  const running = action !== undefined && action.state !== 'ended';
  /** Removes the result of the last action. */
  const next = () => {
    if (action?.state === 'ended') void dismiss(action.id);
  };
  const codes = useInviteCodes({
    user_id,
    swarm,
    role,
    text,
    answers: draft.columns,
    failed: failures && failures.of === swarm?.id ? failures.failed : undefined,
    onText(changed) {
      setDraft({ text: changed, sent: false, ...(changed.trim() === '' && { columns: '' }) });
      next();
    },
    onAnswers: (columns) => setDraft({ columns }),
  });
  const { lines } = codes;

  const [endedId, setEndedId] = useState('');
  const code = url.code;
  if (action && sent && endedId !== action.id && !codes.isReading) {
    setEndedId(action.id);
    const of = action.about.swarm.id;
    const before = failures?.of === of ? failures.failed : [];
    const failed = failuresOf(sent);
    setFailures({ of, failed: new Map([...before, ...failed]) });
    const isSentAgain = sent.some(({ result }) => result !== null);
    if (isSentAgain && of === swarm?.id) setTerms(termsAgain({ terms, sent: draft, about: action.about }));
    const remaining = remainingText({ text, isSent: draft.sent, lines, sent });
    setDraft({ text: remaining, sent: false, ...(remaining === '' && { columns: '' }) });
  } else if (code !== brought) {
    setBrought(code);
    if (!text.split('\n').includes(code)) setDraft({ text: withLine(text, code) });
  }

  const isMessageTooLong = codePoints(message) > limits.descriptionLength;
  // A result that was read is not shown at the next visit, and none is shown instead of the code of a link.
  const [hasSent, setHasSent] = useState(false);
  const dismissRead = useEffectEvent(() => next());
  useEffect(() => () => dismissRead(), []);
  const isLinkHidden = code !== '' && sent !== undefined && !hasSent;
  useEffect(() => {
    if (isLinkHidden) dismissRead();
  }, [isLinkHidden]);

  function send() {
    if (!swarm || isMessageTooLong || running || codes.isReading || codes.openColumns.length > 0) return;
    const { id, name } = swarm;
    const until = end.read();
    if (!until) return;
    setDraft({ sent: true, choice, date });
    setHasSent(true);
    next();
    const about = { swarm: { id, name }, ...(message !== '' && { description: message }), ...until };
    // A second try after a failure has it in the action.
    setTerms(noTerms);
    void start({ kind: 'invite', about, items: toSend(codes.checked) });
  }

  // A result of another swarm would hide the codes for this one.
  const isOfAnother = action?.state === 'ended' && wanted !== null && action.about.swarm.id !== wanted;

  return {
    /** Swarm and role are in the URL. The user may not own the swarm in a link. */
    swarm,
    chooseSwarm: (id: string) => setUrl({ swarm: id }),
    role,
    chooseRole(chosen: MemberRole) {
      setRole(chosen);
      setUrl({ role: chosen });
    },
    message,
    setMessage: (changed: string) => setTerms({ message: changed }),
    isMessageTooLong,
    end,
    codes,
    wantsFile: url.csv,
    /** The last action, unless it was for another swarm. */
    sending: { action: isOfAnother ? undefined : action, sent, running, send, next },
  };
}

export type Invite = ReturnType<typeof useInvite>;

/** `sent`: the text has not changed since an action was made from it. `choice` and `date`: the end that was chosen for that action. */
const nothing = { text: '', columns: '', sent: false, choice: noTerms.choice, date: '' };

/** A link to the page fills in the form. Only swarm and role are changed later. */
const inviteUrl: UrlCodec<{ swarm: string | null; role: MemberRole; code: string; csv: boolean }> = {
  read(params) {
    const [to, resource] = [params.get('to'), params.get('resource')];
    const label = labelOf(params.get('label') ?? '');
    const role = params.get('role');
    return {
      swarm: params.get('swarm'),
      role: role === 'consumer' || role === 'both' ? role : 'producer',
      /** A line for the list. */
      code: to && resource ? codeLine({ to, resource_id: resource }, { label }) : '',
      /** Whether many codes are expected, from a file. */
      csv: params.get('csv') === '1',
    };
  },
  write: ({ swarm, role }) => ({ swarm: swarm ?? undefined, role: role === 'producer' ? undefined : role }),
};
