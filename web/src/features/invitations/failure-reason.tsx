import { useQuery } from '@tanstack/react-query';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { Failure } from '../../api/actions.ts';
import type { Mailbox } from '../../api/query-keys.ts';
import { problemSentence, t, textFor } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';
import { invitationQuery } from './invitations.api.ts';

interface FailureReasonProps {
  item: InvitationItem;
  box: Mailbox;
  failure: Failure;
}

/** Why an answer failed. If the invitation was answered before, in another tab or on another device: how, by whom, when. */
export function FailureReason({ item: { id, to }, box, failure: { problem } }: FailureReasonProps) {
  const isAnswered = ['invitation.already_answered', 'join_request.already_answered'].includes(problem.code);
  const { data } = useQuery({ ...invitationQuery(id), enabled: isAnswered });
  if (!isAnswered || !data || data.status === 'new') {
    return textFor(t.invitations.failed_because, problem.code) ?? problemSentence(problem);
  }
  const text = t.invitations.answered_before[box][data.status];
  return <Rich text={text} to={<Bdi>{to}</Bdi>} when={<Time at={data.changed_at} />} />;
}
