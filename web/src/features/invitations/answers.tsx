/** Answers to invitations. Their rows show the answer that is pending, and why the last one failed. */
import type { ActionFilter, InvitationItem } from '@swarmdeck/bff/contract';
import { invitationTarget } from '../../api/action-kinds.ts';
import { useActionRequests, useFailure, usePending, type PendingItem } from '../../api/actions.ts';
import { UndoButton, UndoCountdown } from '../../bulk/undo-button.tsx';
import { t } from '../../text/text.ts';
import { deviceName, recipientOf } from './invitations.api.ts';
import './answers.css';

export type Answer = 'accept' | 'reject' | 'withdraw';

/**
 * Returns a function that answers or withdraws invitations. The user can undo it for some seconds. `filter`: matches
 * these invitations and no others, so that they need not be uploaded.
 */
export function useAnswers() {
  const { start } = useActionRequests();
  return (answer: Answer, items: readonly InvitationItem[], filter?: ActionFilter) => {
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
      ...{ id: item.id, name: deviceName(item), swarm: item.swarm.name },
      ...kindOf(item),
    }));
    return void start({ kind: 'answer', about: { answer }, items: answered, ...matching });
  };
}

/** What an item of an action has besides the id and the name. */
const kindOf = ({ is_request, other_id }: InvitationItem) => ({
  ...(is_request && { is_request }),
  ...(other_id !== undefined && { other_id }),
});

/** The action that an invitation is in, and why the last one failed. */
export function useAnswer(id: string) {
  const pending = usePending(invitationTarget(id));
  const failure = useFailure(invitationTarget(id));
  return { pending, failure: pending ? undefined : failure };
}

/**
 * Replaces the buttons of an invitation while its answer is pending. Undo is not in the place of the button that was
 * pressed, but at the other end: a slow second tap must not undo the answer.
 */
export function PendingAnswer({ pending }: { pending: PendingItem }) {
  const { action } = pending;
  const { answering, paused } = t.invitations;
  const name =
    action.kind === 'answer' ? action.about.answer : action.kind === 'invite_again' ? 'invite_again' : 'withdraw';
  const undo = (
    <UndoButton pending={pending}>
      <UndoCountdown action={action} />
    </UndoButton>
  );
  return (
    <>
      {name !== 'accept' && undo}
      <span className="invitation-answering quiet">{action.state === 'paused' ? paused : answering[name]}</span>
      {name === 'accept' && undo}
    </>
  );
}
