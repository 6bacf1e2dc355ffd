/** Invitations and requests: sent, answered, withdrawn. None of these can be undone after its end. */
import { z } from '@hono/zod-openapi';
import { invitationSend } from '../../../contract.ts';
import { Problem } from '../../../core/problem.ts';
import { validBody } from '../../../core/sent-body.ts';
import {
  description,
  end,
  line,
  named,
  nothing,
  ofSwarm,
  role,
  shown,
  text,
  type KindsOf,
  type Requests,
  type UseCases,
} from './kind.ts';

const invitation = named.extend({ other_id: text.exactOptional() });
const label = invitationSend.shape.label.unwrap();
const whatItIs = { is_request: z.literal(true).exactOptional(), is_later_end: z.literal(true).exactOptional() };

export const invitationKinds = (
  useCases: UseCases,
  requests: Requests | undefined,
): KindsOf<'answer' | 'withdraw' | 'invite_again' | 'invite'> => ({
  answer: {
    about: z.strictObject({ answer: z.enum(['accept', 'reject']), ...end, ...shown }),
    item: z.strictObject({ ...invitation.shape, swarm: text, ...end, ...whatItIs }),
    run({ userId, about, item: { id, other_id: otherId, ends_at: readEnd, is_request } }) {
      if (is_request) return requireRequests(requests).answer({ userId, id, status: about.answer });
      const { answer: status, ...terms } = about;
      return useCases.answerInvitation({ userId, id, otherId, readEnd, sentBody: validBody({ status, ...terms }) });
    },
  },
  withdraw: {
    about: nothing,
    item: z.strictObject({ ...invitation.shape, ...whatItIs }),
    run: ({ userId, item: { id, other_id: otherId, is_request } }) =>
      is_request
        ? requireRequests(requests).withdraw({ userId, id })
        : useCases.withdrawInvitation({ userId, id, otherId }),
    doneIfRepeated: ['invitation.not_found', ...(requests ? [requests.notFound] : [])],
  },
  invite_again: {
    about: nothing,
    item: invitation,
    run: ({ userId, item: { id, other_id } }) =>
      useCases.resendInvitation({ userId, id, isPair: other_id !== undefined }),
    doneIfRepeated: ['membership.exists'],
  },
  invite: {
    about: z.strictObject({ ...ofSwarm, description: description.exactOptional(), ...end }),
    item: z.strictObject({ line, to: text, resource_id: text, resource_type: role, label: label.exactOptional() }),
    run: ({ userId, about: { swarm, ...message }, item: { line: _line, ...body } }) =>
      useCases.sendInvitation({ userId, swarmId: swarm.id, sentBody: validBody({ ...body, ...message }) }),
    doneIfRepeated: ['membership.exists'],
    keepsResult: true,
  },
});

/** @throws Problem `action.kind_unknown` if this server has no requests */
function requireRequests(requests: Requests | undefined): Requests {
  if (!requests) throw new Problem('action.kind_unknown');
  return requests;
}
