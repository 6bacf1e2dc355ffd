import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ActionOf, MemberRole } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/field-rules';
import { useActionRequests, useShowsActions } from '../../../data/actions/actions.ts';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { usePersistedDraft } from '../../../ui/persisted-draft.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { chosenEnd, consentLimits } from '../../../shared/ends/end-choices.ts';
import { useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { toSend, type Problem } from './invite-check.ts';
import { oneCodePerLine } from './invite-codes.ts';
import { inviteUrl } from './invite-url.ts';
import { failuresOf, remainingText } from './remaining-lines.ts';
import { useInviteCodes, withLine } from './use-invite-codes.ts';
import { useInviteSwarm, type InviteSwarmOptions } from './use-invite-swarm.ts';
import { noTerms, termsAgain, useInviteTerms } from './use-invite-terms.ts';
import { useSentLines } from './use-sent-lines.ts';

interface InviteOptions extends InviteSwarmOptions {
  user_id: string;
}

/** The state of the Invite page: the form, its lines, and the last action. Links fill in the form. */
export function useInvite({ user_id, swarms, q }: InviteOptions) {
  const [url, setUrl] = useUrlState(inviteUrl);
  const { start } = useActionRequests();
  const { action, sent, isRunning, next, noteSending } = useLastInvite(url.code);
  const [draft, setDraft] = usePersistedDraft(`invite:${user_id}`, nothing);
  // The URL follows a moment later.
  const [role, setRole] = useState(url.role);
  const [brought, setBrought] = useState('');
  const text = useMemo(() => oneCodePerLine(draft.text), [draft.text]);

  const { swarm, wanted, isDenied, chooseSwarm } = useInviteSwarm({ swarms, q });
  const [terms, setTerms, noteSent] = useInviteTerms(user_id, swarm?.id);
  const { message, choice, date } = terms;
  const end = useOptionalEnd([{ choice, date }, setTerms]);
  // Not each time: the lines would be checked again.
  const offered = useMemo(
    () => chosenEnd({ choice, date }, serverNow(), consentLimits(undefined)) ?? undefined,
    [choice, date],
  );
  const [failures, setFailures] = useState<{ of: string; failed: ReadonlyMap<string, Problem> } | null>(null);

  const codes = useInviteCodes({
    user_id,
    swarm,
    role,
    text,
    answers: draft.columns,
    ends_at: offered,
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
  function send() {
    if (!swarm || isMessageTooLong || isRunning || codes.isReading || codes.columns.open > 0) return;
    const until = end.read();
    if (!until) return;
    setDraft({ sent: true, choice, date });
    noteSending();
    next();
    const about = {
      swarm: { id: swarm.id, name: swarm.name },
      ...(message !== '' && { description: message }),
      ...until,
    };
    const noteStored = () => noteSent(terms);
    void start({ kind: 'invite', about, items: toSend(codes.checked) }, undefined, noteStored);
  }

  // A result of another swarm would hide the codes for this one.
  const isOfAnother = action?.state === 'ended' && wanted !== null && action.about.swarm.id !== wanted;

  return {
    swarm,
    /** There is no swarm, because the user may not invite to the one in the URL. */
    isDenied,
    chooseSwarm,
    role: {
      chosen: role,
      choose(chosen: MemberRole) {
        setRole(chosen);
        setUrl({ role: chosen });
      },
    },
    message: {
      text: message,
      isTooLong: isMessageTooLong,
      change: (changed: string) => setTerms({ message: changed }),
    },
    end,
    codes,
    /** The last action, unless it was for another swarm. */
    sending: { action: isOfAnother ? undefined : action, sent, running: isRunning, send, next },
  };
}

export type Invite = ReturnType<typeof useInvite>;

/**
 * The last action that invites, with its result. A result that was read is not shown at the next visit, and none is shown
 * instead of the `code` of a link.
 */
function useLastInvite(code: string) {
  const { dismiss } = useActionRequests();
  const action = useActions().findLast((each): each is ActionOf<'invite'> => each.kind === 'invite');
  const sent = useSentLines(action);
  useShowsActions('invite');
  /** This visit has sent something. */
  const [hasSent, setHasSent] = useState(false);
  const next = () => {
    if (action?.state === 'ended') void dismiss(action.id);
  };
  const dismissRead = useEffectEvent(() => next());
  useEffect(() => () => dismissRead(), []);
  const isLinkHidden = code !== '' && sent !== undefined && !hasSent;
  useEffect(() => {
    if (isLinkHidden) dismissRead();
  }, [isLinkHidden]);
  return {
    action,
    sent,
    isRunning: action !== undefined && action.state !== 'ended',
    /** Removes the result. */
    next,
    noteSending: () => setHasSent(true),
  };
}

/** `sent`: the text has not changed since an action was made from it. `choice` and `date`: the end that was chosen for that action. */
const nothing = { text: '', columns: '', sent: false, choice: noTerms.choice, date: '' };
