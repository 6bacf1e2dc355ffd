import { z } from '@hono/zod-openapi';
import { activityLimits } from '../limits/part-limits.ts';
import { id, timestamp, userName } from './fields.schema.ts';

export const activityTopics = ['invitation', 'member', 'resource', 'swarm', 'account'] as const;
export const activityKinds = [
  'invitation.sent',
  'invitation.resent',
  'invitation.end_offered',
  'invitation.end_rejected',
  'invitation.end_withdrawn',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.withdrawn',
  'invitation.requested',
  'invitation.request_accepted',
  'invitation.request_rejected',
  'invitation.request_withdrawn',
  'invitation.request_expired',
  'member.added',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.end_changed',
  'member.ending',
  'member.ended',
  'member.shown',
  'member.hidden',
  'resource.renamed',
  'resource.changed',
  'resource.deleted',
  'resource.imported',
  'resource.offered',
  'resource.offer_declined',
  'resource.offer_withdrawn',
  'resource.handed_over',
  'resource.link_created',
  'resource.link_ended',
  'resource.link_replaced',
  'resource.silent',
  'resource.back',
  'swarm.renamed',
  'swarm.silent',
  'swarm.published',
  'swarm.unpublished',
  'swarm.deleted',
  'swarm.manager_asked',
  'swarm.manager_agreed',
  'swarm.manager_declined',
  'swarm.manager_withdrawn',
  'swarm.manager_left',
  'swarm.manager_removed',
  'swarm.watcher_asked',
  'swarm.watcher_agreed',
  'swarm.watcher_declined',
  'swarm.watcher_withdrawn',
  'swarm.watcher_expired',
  'swarm.watcher_left',
  'swarm.watcher_removed',
  'swarm.watcher_end_changed',
  'swarm.watcher_ending',
  'swarm.watcher_ended',
  'swarm.offered',
  'swarm.offer_declined',
  'swarm.offer_withdrawn',
  'swarm.handed_over',
  'swarm.link_created',
  'swarm.link_ended',
  'swarm.share_link_created',
  'swarm.share_link_ended',
  'swarm.share_link_replaced',
  'swarm.audience_grown',
  'account.key_created',
  'account.key_revoked',
  'account.key_replaced',
  'account.signed_in',
  'account.signed_in_new',
  'account.password_changed',
  'account.recovered',
  'account.recovery_codes_made',
  'account.passkey_added',
  'account.passkey_removed',
  'account.totp_set_up',
  'account.totp_removed',
  'account.link_made',
  'account.address_added',
  'account.address_removed',
  'account.identity_linked',
  'account.identity_unlinked',
  'account.webhook_added',
  'account.webhook_changed',
  'account.webhook_removed',
  'account.disabled',
  'account.enabled',
  'account.server_restored',
] as const;

/**
 * One entry of a user's activity log. Names are those at the time of the action. `resource.changed`: with an API key. `detail` is the role of an invitation, a
 * request to join or a member, the user whom a swarm's owner asked to manage or watch it, to whom a swarm or a device was offered, its former owner, the name
 * before a rename, the names of the user's devices that were in a deleted swarm or invited to it, the name of a key, also of the one that changed
 * a device, of a passkey or a link, the host of a webhook, the `User-Agent` of a sign-in or recovery, the file of an import, up to ten names of several devices that are silent or back, or who
 * sees the user's devices in a swarm and did not before, or the end of a membership (`member.end_changed`, `member.ending`, and `invitation.end_…`: a later one that the owner of the swarm offers). An offer or a
 * request has ended by the server (`…_withdrawn`) if nobody had its name, and a new user has taken it. `…_expired`: nobody answered a request before its end; `actor` is who sent it. `member.shown`, `member.hidden`: the owner lets links of the swarm show the device, or not any more. `account.server_restored`: the operator restored a backup, and `detail` is the time of its newest entry of anybody, or new user. `…_replaced`: the answer with a new link or key did not arrive, and the next request with the same `attempt` has ended it. `swarm.silent`: members of a swarm that the user owns, manages or watches, which are not
 * the user's.
 */
export const activity = z
  .strictObject({
    id: z.int().openapi({ description: 'Counts the entries of one user; newer entries have greater ids' }),
    at: timestamp,
    kind: z.enum(activityKinds),
    actor: userName.openapi({
      description: 'The user who did it, or `(operator)` for a command of the operator, or `(server)`',
    }),
    resource: z.strictObject({ id, name: z.string().optional(), user_id: userName }).optional(),
    swarm: z.strictObject({ id, name: z.string() }).optional(),
    detail: z
      .string()
      .optional()
      .openapi({
        description:
          'Of `invitation.accepted`, the role, and on a second line the end that the owner of the resource has chosen, if it is another one than was offered. Of `member.joined`, the role, and on a second line the end that was chosen. ' +
          'Of `swarm.audience_grown`, what is new, with commas between: `owner:<user>`, `manager:<user>`, `watcher:<user>`, ' +
          '`receivers` (devices of others receive what the swarm’s devices send), `links` (users with a link join without asking), `guests` (links of the swarm show the user’s devices to people without an account, because the user allows it), and `open` or `listed` (users who have the ' +
          'link, or all users, can ask to join: nobody sees a device by that). Of `account.signed_in`, `account.signed_in_new` and `account.recovered`, two lines: how the user has signed in or has set a new password ' +
          '(`password`, `passkey`, `code` for a recovery code, `link` for one of the operator, `mail` for an emailed link, or `provider:` and its label), and the `User-Agent`. Older entries have only this. Of `account.server_restored`, a time: what was changed after it may be undone',
      }),
    amount: z
      .int()
      .optional()
      .openapi({
        description:
          'How often the resource fell silent since the last notice; without a resource, and for a swarm, how many are silent, ' +
          'are back, were imported, leave a swarm soon (`member.ending`), or were offered (`resource.offer_withdrawn`)',
      }),
  })
  .openapi('Activity');

export const activityPage = z
  .strictObject({
    items: z.array(activity),
    next: z.int().nullable().openapi({ description: 'For `before`, to read older entries; null at the end' }),
    more: z.int().openapi({
      description:
        'Number of entries after this page that tell the same of other resources as its last one, as a bulk action writes them',
    }),
    read: z.int().openapi({ description: 'The id up to which the entries are read; 0 for none' }),
    unread: z.int().openapi({
      description: `Number of unread actions of other users, at most ${activityLimits.unread}: the same about several resources, as a bulk action writes it, counts once. Invitations are not counted: they are in the list of invitations.`,
    }),
  })
  .openapi('ActivityPage');

export const activityRead = z.strictObject({ id: z.int().min(0) }).openapi('ActivityRead');

export type ActivityTopic = (typeof activityTopics)[number];
export type ActivityKind = (typeof activityKinds)[number];
export type Activity = z.infer<typeof activity>;
export type ActivityPage = z.infer<typeof activityPage>;
