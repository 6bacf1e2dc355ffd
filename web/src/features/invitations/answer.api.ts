/** The request that answers an invitation, and what it changes. */
import type { Invitation, InvitationItem } from '@swarmdeck/bff/contract';
import type { Change } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { sendInBatch } from '../../api/send-in-batch.ts';

export type Answer = 'accept' | 'reject' | 'withdraw';

/** The fields of an invitation that a request needs. While its answer is pending, a label shows more of them. */
export type AnswerRow = Pick<InvitationItem, 'id' | 'resource_id' | 'swarm_id'> & Partial<InvitationItem>;

/** Sends one answer. Idempotent. Returns null for a withdrawal. */
export async function sendAnswer({
  item: { id, resource_id, swarm_id },
  answer,
  keepalive,
  key,
}: {
  item: AnswerRow;
  answer: Answer;
  keepalive: boolean;
  /** Of a row of a bulk job: it is sent together with others. */
  key?: string;
}): Promise<Invitation | null> {
  if (answer === 'withdraw') {
    // Not in a batch, where it is not an error if the invitation does not exist.
    await send({ method: 'DELETE', path: `/api/swarms/${swarm_id}/invitations/${id}`, keepalive });
    return null;
  }
  const path = `/api/resources/${resource_id}/invitations/${id}`;
  const write = { method: 'PUT', path, body: { status: answer }, keepalive } as const;
  return key === undefined ? (await send<Invitation>(write)).data : sendInBatch<Invitation>({ ...write, key });
}

/** `invitation`: the answered one, or null if it was withdrawn. */
export function changeOf({ id, swarm_id }: AnswerRow, invitation: Invitation | null | undefined): Change {
  if (invitation) return { type: 'invitation.updated', data: invitation };
  return { type: 'invitation.withdrawn', data: { id, swarm_id } };
}
