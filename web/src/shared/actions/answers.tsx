/** Answers to invitations and requests. Their rows show the answer that is pending, and why the last one failed. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ActionFilter, InvitationItem } from '@swarmdeck/bff/contract';
import { invitationTarget } from '../../data/actions/action-kinds.ts';
import { useActionRequests, useFailure } from '../../data/actions/actions.ts';
import type { Failure } from '../../data/actions/action-store.ts';
import { isPostponed, usePending, type PendingItem } from '../../data/actions/shown-actions.ts';
import { read } from '../../data/client.ts';
import { pollUnlessLive } from '../../data/stream/poll-intervals.ts';
import { queryKeys, type Mailbox } from '../../data/cache/query-keys.ts';
import { problemSentence, t, textFor } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Time, useIsPast } from '../../ui/texts/time.tsx';
import { UntilDate } from '../ends/until-date.tsx';
import './answers.css';
import { UndoButton, UndoCountdown } from './undo-button.tsx';

/** One invitation, for one that no list contains. */
export function invitationQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.invitations.item(id),
    queryFn: ({ signal }) => read('/api/inbox/:id', { id }, { signal }),
    refetchInterval: pollUnlessLive(20_000),
  });
}

/** The name of an invited device. If it is not visible to the user: the label of its code, or its id. */
export function deviceName({ device, label, resource_id, status }: InvitationItem): string {
  if (device) return device.name;
  if (label !== undefined) return t.invite_code.label.quoted(label);
  return status === 'new' ? resource_id : t.invitations.unknown_device;
}

/** To whom it was sent. The owner of a swarm that the user does not see any more is not known. */
export const recipientOf = ({ to, swarm }: InvitationItem) => to || swarm.name;

/** With which an invitation is accepted. */
interface Terms {
  ends_at?: string;
  shown_by_links?: true;
}

export type Answer = 'accept' | 'reject' | 'withdraw';

/**
 * Returns a function that answers or withdraws invitations. The user can undo it for some seconds. `filter`: matches
 * these invitations and no others, so that they need not be uploaded. `terms`: with which they are accepted.
 */
export function useAnswers() {
  const { start } = useActionRequests();
  return (answer: Answer, items: readonly InvitationItem[], filter?: ActionFilter, terms: Terms = {}) => {
    const matching = filter && { filter };
    if (answer === 'withdraw') {
      return void start({
        kind: 'withdraw',
        about: {},
        items: items.map((item) => ({
          id: item.id,
          name: item.is_request ? deviceName(item) : recipientOf(item),
          ...kindOf(item),
        })),
        ...matching,
      });
    }
    const answered = items.map((item) => ({
      id: item.id,
      name: deviceName(item),
      swarm: item.swarm.name,
      ...(item.ends_at !== undefined && { ends_at: item.ends_at }),
      ...kindOf(item),
    }));
    const about = { answer, ...terms };
    return void start({
      kind: 'answer',
      about,
      items: answered,
      ...matching,
      ...(answer === 'accept' && { shown: items }),
    });
  };
}

/** What an item of an action has besides the id and the name. */
const kindOf = ({ is_request, is_later_end, other_id }: InvitationItem) => ({
  ...(is_request && { is_request }),
  ...(is_later_end && { is_later_end }),
  ...(other_id !== undefined && { other_id }),
});

/** The action that an invitation is in, and why the last one failed. */
export function useAnswer(id: string) {
  const pending = usePending(invitationTarget(id));
  const failure = useFailure(invitationTarget(id));
  return { pending, failure: pending ? undefined : failure };
}

/** The end that the user has chosen for a pending answer, instead of the one that is offered. */
export const chosenEnd = ({ action }: PendingItem): string | undefined =>
  action.kind === 'answer' ? action.about.ends_at : undefined;

/**
 * Replaces the buttons of an invitation while its answer is pending. Undo is not in the place of the button that was
 * pressed, but at the other end: a slow second tap must not undo the answer.
 */
export function PendingAnswer({ pending }: { pending: PendingItem }) {
  const { action } = pending;
  const end = chosenEnd(pending);
  const { answering, paused, postponed } = t.invitations;
  const name =
    action.kind === 'answer' ? action.about.answer : action.kind === 'invite_again' ? 'invite_again' : 'withdraw';
  const waiting = name === 'invite_again' ? postponed : `${t.invitations[name]} · ${postponed}`;
  const undo = (
    <UndoButton pending={pending}>{isPostponed(action) ? undefined : <UndoCountdown action={action} />}</UndoButton>
  );
  return (
    <>
      {name !== 'accept' && undo}
      <span className="invitation-answering quiet">
        {isPostponed(action) ? waiting : action.state === 'paused' ? paused : answering[name]}
        {end !== undefined && (
          <>
            {' · '}
            <UntilDate at={end} />
          </>
        )}
      </span>
      {name === 'accept' && undo}
    </>
  );
}

interface AnswerButtonsProps {
  item: InvitationItem;
  box: Mailbox;
  tabIndex?: 0 | -1;
  onAnswer(answer: Answer, item: InvitationItem): void;
}

/** Whether the time is over for which it was offered or asked: it cannot be accepted any more. */
export const isOver = ({ ends_at }: InvitationItem, now: number) => ends_at !== undefined && Date.parse(ends_at) <= now;

/** The end that is offered or asked for. Of an accepted one, that of the membership now: another one may have been chosen. */
export const endOf = ({ status, ends_at, membership_ends_at }: InvitationItem) =>
  status === 'accepted' ? membership_ends_at : ends_at;

export const overReason = ({ is_request }: InvitationItem) =>
  t.invitations.failed_because[is_request ? 'join_request.ended' : 'invitation.ended'];

/** The buttons of a row, before it is answered. */
export function AnswerButtons({ item, box, tabIndex, onAnswer }: AnswerButtonsProps) {
  const button = (answer: Answer, look: 'accent' | 'quiet') => (
    <Button look={look} size="row" acts tabIndex={tabIndex} onClick={() => onAnswer(answer, item)}>
      {t.invitations[answer]}{' '}
      <span className="visually-hidden">
        <Bdi>{deviceName(item)}</Bdi>, <Bdi>{item.swarm.name}</Bdi>
      </span>
    </Button>
  );
  const isLate = useIsPast(item.ends_at);
  if (box === 'sent') return button('withdraw', 'quiet');
  return (
    <>
      {!isLate && button('accept', 'accent')}
      {button('reject', 'quiet')}
    </>
  );
}

/** Who sees what after Accept, in short. The open invitation has all of it. */
export function AnswerAudience({ item }: { item: InvitationItem }) {
  const { is_request, is_later_end, other_role_ends_at, swarm } = item;
  const isLate = useIsPast(item.ends_at);
  // It changes nothing of who sees the device.
  if (is_later_end || isLate) return null;
  const { seen, members, owner, each_other, is_member } = t.invitations.audience;
  const isMember = is_request && other_role_ends_at !== undefined;
  return (
    <span className="line gap-1 answer-audience">
      <Icon name="eye" size={16} />
      <span className="answer-audience-words">
        <span>{isMember ? is_member : is_request ? each_other : seen}</span>
        {!is_request && swarm.member_count !== undefined && (
          <span>
            {' '}
            {/* Without members, the number would say that nobody sees it. */}
            {swarm.member_count > 0 ? (
              members(swarm.member_count)
            ) : (
              <Rich text={owner} owner={<Bdi>{swarm.user_id}</Bdi>} />
            )}
          </span>
        )}
      </span>
    </span>
  );
}

interface FailureReasonProps {
  item: Pick<InvitationItem, 'id'>;
  box: Mailbox;
  failure: Pick<Failure, 'problem'>;
}

/** Why an answer failed. If the invitation was answered before, in another tab or on another device: how, by whom, when. */
export function FailureReason({ item: { id }, box, failure: { problem } }: FailureReasonProps) {
  const isAnswered = ['invitation.already_answered', 'join_request.already_answered'].includes(problem.code);
  const { data } = useQuery({ ...invitationQuery(id), enabled: isAnswered });
  if (!isAnswered || !data || data.status === 'new') {
    return textFor(t.invitations.failed_because, problem.code) ?? problemSentence(problem);
  }
  const { answered_before } = t.invitations;
  // A manager of the swarm may have accepted it.
  const isMember = box === 'sent' && data.is_request && data.status === 'accepted';
  return (
    <Rich
      text={isMember ? answered_before.is_member : answered_before[box][data.status]}
      to={<Bdi>{data.to}</Bdi>}
      device={<Bdi>{deviceName(data)}</Bdi>}
      swarm={<Bdi>{data.swarm.name}</Bdi>}
      when={<Time at={data.changed_at} />}
    />
  );
}
