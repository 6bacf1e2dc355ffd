/** The triggers of both stores. Each migration creates all of them again, so that they always fit the tables. */
import { postgresFunctions } from './postgres-functions.ts';
import type { Store } from './tables.ts';
import { actionTriggers } from './triggers/actions.ts';
import { activityTriggers } from './triggers/activity.ts';
import { apiKeyTriggers } from './triggers/api-keys.ts';
import { audienceTriggers } from './triggers/audience.ts';
import { idempotencyTriggers } from './triggers/idempotency.ts';
import { invitationTriggers } from './triggers/invitations.ts';
import { joinLinkTriggers } from './triggers/join-links.ts';
import { joinRequestTriggers } from './triggers/join-requests.ts';
import { managerTriggers } from './triggers/managers.ts';
import { membershipTriggers } from './triggers/memberships.ts';
import { messageTriggers } from './triggers/messages.ts';
import { presenceTriggers } from './triggers/presence.ts';
import { resourceOfferTriggers } from './triggers/resource-offers.ts';
import { resourceTriggers } from './triggers/resources.ts';
import { retiredNameTriggers } from './triggers/retired-names.ts';
import { sessionTriggers } from './triggers/session.ts';
import { shareLinkTriggers } from './triggers/share-links.ts';
import { swarmViewerTriggers } from './triggers/swarm-viewers.ts';
import { swarmTriggers } from './triggers/swarms.ts';
import { statementsOf, type Trigger } from './triggers/trigger.ts';
import { userTriggers } from './triggers/user.ts';
import { valueTriggers } from './triggers/values.ts';
import { webhookDeliveryTriggers } from './triggers/webhook-deliveries.ts';

/** The statements that create the triggers, and the functions of PostgreSQL. */
export function createTriggers(store: Store): string[] {
  const triggers = triggersOf(store).flatMap((trigger) => statementsOf(store, trigger));
  return store === 'postgres' ? [...postgresFunctions, ...triggers] : triggers;
}

const triggersOf = (store: Store): Trigger[] => [
  ...userTriggers(store),
  ...retiredNameTriggers(store),
  ...sessionTriggers(store),
  ...apiKeyTriggers(store),
  ...idempotencyTriggers,
  ...resourceTriggers(store),
  ...resourceOfferTriggers(store),
  ...presenceTriggers(store),
  ...membershipTriggers(store),
  ...swarmViewerTriggers(store),
  ...swarmTriggers(store),
  ...managerTriggers(store),
  ...audienceTriggers(store),
  ...joinLinkTriggers(store),
  ...joinRequestTriggers(store),
  ...shareLinkTriggers(store),
  ...invitationTriggers(store),
  ...messageTriggers(store),
  ...actionTriggers(store),
  ...activityTriggers(store),
  ...webhookDeliveryTriggers,
  ...valueTriggers(store),
];
