import { useMemo, useState } from 'react';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { codePoints, limits } from '@swarmdeck/bff/field-rules';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { chosenEnd, consentLimits } from '../../../shared/ends/end-choices.ts';
import { useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { toSend, type Problem } from './invite-check.ts';
import { oneCodePerLine } from './invite-codes.ts';
import { inviteUrl } from './invite-url.ts';
import { failuresOf, remainingText, type SentLine } from './remaining-lines.ts';
import { useInviteCodes, withLine } from './use-invite-codes.ts';
import { useInviteSwarm, type InviteSwarmOptions } from './use-invite-swarm.ts';
import { noTerms, termsAgain, useInviteTerms, type InviteTerms } from './use-invite-terms.ts';
import { useLastInvite } from './use-last-invite.ts';

interface InviteOptions extends InviteSwarmOptions {
  user_id: string;
}

/** The state of the Invite page: the form, its lines, and the last action. Links fill in the form. */
export function useInvite({ user_id, swarms, q }: InviteOptions) {
  const [url] = useUrlState(inviteUrl);
  const { start } = useActionRequests();
  const last = useLastInvite(url.code);
  const { swarm, wanted, isDenied, chooseSwarm } = useInviteSwarm({ swarms, q });
  const [terms, setTerms, noteSent] = useInviteTerms(user_id, swarm?.id);
  const [draft, setDraft] = usePersistedDraft(`invite:${user_id}`, nothing);
  const changeTerms = (change: Partial<InviteTerms>) => {
    setTerms(change);
    setDraft({ termsSent: false });
  };
  const role = useRole(terms, changeTerms);
  const { message, end, offered } = useTermInputs(terms, changeTerms);
  const failures = useFailures(swarm?.id);

  const text = useMemo(() => oneCodePerLine(draft.text), [draft.text]);
  const replaceText = (changed: string) =>
    setDraft({ text: changed, sent: false, ...(changed.trim() === '' && { columns: '' }) });
  const codes = useInviteCodes({
    user_id,
    swarm,
    role: role.chosen,
    text,
    answers: draft.columns,
    ends_at: offered,
    failed: failures.failed,
    onText(changed) {
      replaceText(changed);
      last.next();
    },
    onAnswers: (columns) => setDraft({ columns }),
  });

  const [endedId, setEndedId] = useState('');
  const [brought, setBrought] = useState('');
  const { code } = url;
  const { action, sent } = last;
  if (action && sent && endedId !== action.id && !codes.isReading) {
    // What was not sent stays, with its terms.
    setEndedId(action.id);
    const of = action.about.swarm.id;
    failures.add(of, sent);
    const isSentAgain = sent.some(({ result }) => result !== null);
    // Codes and terms that the user has changed since stay as they are.
    const isUnchanged = draft.sent ? draft.termsSent : text.trim() === '';
    if (isSentAgain && isUnchanged && of === swarm?.id)
      setTerms(termsAgain({ terms, sent: draft, about: action.about, now: serverNow() }));
    replaceText(remainingText({ text, isSent: draft.sent, lines: codes.lines, sent }));
  } else if (code !== brought) {
    setBrought(code);
    if (!text.split('\n').includes(code)) setDraft({ text: withLine(text, code) });
  }

  function send() {
    if (!swarm || message.isTooLong || last.isRunning || codes.isReading || codes.columns.open > 0) return;
    const until = end.read();
    if (!until) return;
    setDraft({ sent: true, termsSent: true, choice: terms.choice, date: terms.date });
    last.noteSending();
    last.next();
    const about = {
      swarm: { id: swarm.id, name: swarm.name },
      ...(message.text !== '' && { description: message.text }),
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
    role,
    message,
    end,
    codes,
    /** The last action, unless it was for another swarm. */
    sending: { action: isOfAnother ? undefined : action, sent, running: last.isRunning, send, next: last.next },
  };
}

export type Invite = ReturnType<typeof useInvite>;

/** The role of the lines that name none. A link names it, or the user has chosen it for this swarm. */
function useRole({ role: ofSwarm }: InviteTerms, setTerms: (change: Partial<InviteTerms>) => void) {
  const [url, setUrl] = useUrlState(inviteUrl);
  // The URL follows a moment later.
  const [chosen, setChosen] = useState(url.role);
  return {
    chosen: (chosen ?? ofSwarm) || 'producer',
    choose(role: MemberRole) {
      setChosen(role);
      setUrl({ role });
      setTerms({ role });
    },
  };
}

/** The inputs of the terms. `offered`: the end as a time, if there is one that is possible now. */
function useTermInputs({ message, choice, date }: InviteTerms, setTerms: (change: Partial<InviteTerms>) => void) {
  const end = useOptionalEnd([{ choice, date }, setTerms]);
  // Not each time: the lines would be checked again.
  const offered = useMemo(
    () => chosenEnd({ choice, date }, serverNow(), consentLimits(undefined)) ?? undefined,
    [choice, date],
  );
  return {
    message: {
      text: message,
      isTooLong: codePoints(message) > limits.descriptionLength,
      change: (changed: string) => setTerms({ message: changed }),
    },
    end,
    offered,
  };
}

/** What the server has rejected for good: of the swarm for which an action has ended last. */
function useFailures(swarm_id: string | undefined) {
  const [known, setKnown] = useState<{ of: string; failed: ReadonlyMap<string, Problem> } | null>(null);
  return {
    failed: known && known.of === swarm_id ? known.failed : undefined,
    add(of: string, sent: readonly SentLine[]) {
      const before = known?.of === of ? known.failed : [];
      setKnown({ of, failed: new Map([...before, ...failuresOf(sent)]) });
    },
  };
}

/**
 * `sent`: the text has not changed since an action was made from it. `termsSent`: nor have the terms. `choice` and `date`: the end that
 * was chosen for that action.
 */
const nothing = { text: '', columns: '', sent: false, termsSent: false, choice: noTerms.choice, date: '' };
