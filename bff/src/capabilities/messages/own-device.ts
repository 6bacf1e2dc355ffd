import type { Rates } from '../../core/limits/limit-tables.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import type { ServiceContext } from '../../core/endpoint/service-app.ts';
import type { Resources } from '../../core/resources/resources.store.ts';
import type { Messages } from './messages.ts';

export interface OwnDeviceDeps {
  messages: Pick<Messages, 'isSenderOf'>;
  resources: Pick<Resources, 'require'>;
  rates: Pick<Rates, 'device'>;
}

/**
 * The device must be the caller's: the key of a device is only for a device that exists. The request counts for the device; one with
 * its own key was counted when it arrived (`serve` in service-app.ts).
 */
export async function requireOwn(
  c: ServiceContext,
  {
    deps,
    id,
    operation,
  }: { deps: OwnDeviceDeps; id: string; operation: 'sendMessage' | 'receiveMessages' | 'sendHeartbeat' },
): Promise<void> {
  const { messages, resources, rates } = deps;
  const { userId, resourceId } = c.env.caller;
  if (resourceId !== undefined) return;
  if (operation === 'receiveMessages' || !(await messages.isSenderOf({ userId, id })))
    await resources.require({ userId, id, operation });
  requireTokens(rates.device, id);
}
