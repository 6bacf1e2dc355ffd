/** Invitations, links and requests: sent, answered, withdrawn. None of these can be undone after its end. */
import { z } from '@hono/zod-openapi';
import { consentEnd, invitationSend } from '../../../contract.ts';
import { validBody } from '../../../core/sent-body.ts';
import { description, line, named, nothing, ofSwarm, role, shown, text, type KindsOf, type UseCases } from './kind.ts';

const invitation = named.extend({ other_id: text.exactOptional() });
const label = invitationSend.shape.label.unwrap();
const end = { ends_at: consentEnd.exactOptional() };
const whatItIs = { is_request: z.literal(true).exactOptional(), is_later_end: z.literal(true).exactOptional() };

export const invitationKinds = (
  useCases: UseCases,
): KindsOf<'answer' | 'withdraw' | 'invite_again' | 'invite' | 'join' | 'ask_to_join'> => ({
  answer: {
    about: z.strictObject({ answer: z.enum(['accept', 'reject']), ...end, ...shown }),
    item: z.strictObject({ ...invitation.shape, swarm: text, ...end, ...whatItIs }),
    run({ userId, about, item: { id, other_id: otherId, ends_at: readEnd, is_request } }) {
      if (is_request) return useCases.answerJoinRequest({ userId, id, sentBody: validBody({ status: about.answer }) });
      const { answer: status, ...terms } = about;
      return useCases.answerInvitation({ userId, id, otherId, readEnd, sentBody: validBody({ status, ...terms }) });
    },
  },
  withdraw: {
    about: nothing,
    item: z.strictObject({ ...invitation.shape, ...whatItIs }),
    run: ({ userId, item: { id, other_id: otherId, is_request } }) =>
      is_request ? useCases.withdrawJoinRequest({ userId, id }) : useCases.withdrawInvitation({ userId, id, otherId }),
    doneIfRepeated: ['invitation.not_found', 'join_request.not_found'],
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
  join: {
    about: z.strictObject({ ...ofSwarm, link: text, pass: text, ...end, ...shown }),
    item: named,
    run: ({ userId, about: { swarm: _swarm, link: linkId, ...joining }, item: { id } }) =>
      useCases.joinByLink({ userId, linkId, sentBody: validBody({ ...joining, resource_id: id }) }),
    doneIfRepeated: ['membership.exists'],
    keepsResult: true,
  },
  ask_to_join: {
    about: z.strictObject({ ...ofSwarm, resource_type: role, message: description.exactOptional(), ...end, ...shown }),
    item: named,
    run: ({ userId, about: { swarm, ...asked }, item: { id } }) =>
      useCases.askToJoin({ userId, swarmId: swarm.id, sentBody: validBody({ ...asked, resource_id: id }) }),
    doneIfRepeated: ['join_request.exists', 'membership.exists'],
  },
});
