import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import {
  attempt,
  expires,
  resourceCreate,
  type CreatedApiKey,
  type CreatedDeviceKeys,
  type DeviceAddresses,
  type DeviceKeys,
} from '../../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem } from '../problem.ts';
import { limits } from '../limits/field-rules.ts';
import { keyLimits } from '../limits/part-limits.ts';
import { requireMore, type Rate } from '../limits/rate.ts';
import type { Service } from '../../service/service.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { GatewayEnv } from './gateway-env.ts';

export interface DeviceKeyOptions {
  keys: Pick<Service['keys'], 'ofDevice' | 'mint' | 'mintForDevices' | 'revoke'>;
  /** Throws `resource.not_found` or `resource.forbidden` if the user may not do this with the device. */
  requireResource: Service['requireResource'];
  requireConfirmed: SignIn['requireConfirmed'];
  /** The user's requests: one for many keys counts as several. */
  rate: Rate;
  /** Where devices connect other than by HTTP. */
  deviceAddresses: () => DeviceAddresses;
  now: () => Date;
}

const keyBody = z.strictObject({
  name: resourceCreate.shape.name,
  expires_at: expires.optional(),
  attempt: attempt.optional(),
});
const devicesBody = z.strictObject({
  resource_ids: z.array(z.string().max(limits.textLength)).min(1).max(limits.membersAtOnce),
  attempt: attempt.optional(),
});
const notInFuture = { pointer: '/expires_at', code: 'field.out_of_range', detail: 'must be in the future' };

/**
 * `/api/devices/:id/keys`: the keys of a device. Only with a session: a key that was stolen must not create another one that
 * outlives it. They are not below `/api/resources`, because all of its other requests go to the service without this router.
 */
export function deviceKeyRoutes(options: DeviceKeyOptions): Hono<GatewayEnv> {
  const { keys, requireResource, requireConfirmed, rate, deviceAddresses, now } = options;
  const routes = new Hono<GatewayEnv>();

  routes.post('/devices/keys', async (c) => {
    requireConfirmed(c.env.session);
    const { body } = await readJsonBody(c, devicesBody);
    const { userName: userId } = c.env.session;
    requireMore(rate, userId, Math.floor((body.resource_ids.length - 1) / keyLimits.createdOfRequest));
    const made = await keys.mintForDevices({ userId, resourceIds: body.resource_ids, attempt: body.attempt });
    return c.json<CreatedDeviceKeys>(made, 201, { 'cache-control': 'no-store' });
  });

  /** A user who may change the device may create keys for it. */
  routes.use('/devices/:id/keys/*', async (c, next) => {
    const { userName: userId } = c.env.session;
    await requireResource({ userId, id: c.req.param('id'), operation: 'updateResource' });
    c.header('cache-control', 'no-store');
    await next();
  });

  routes.get('/devices/:id/keys', async (c) => {
    return c.json<DeviceKeys>({ items: await keys.ofDevice(c.req.param('id')), ...deviceAddresses() });
  });

  routes.post('/devices/:id/keys', async (c) => {
    requireConfirmed(c.env.session);
    const { body } = await readJsonBody(c, keyBody);
    const { name, expires_at: expiresAt, attempt } = body;
    if (expiresAt !== undefined && expiresAt <= now().toISOString())
      throw new Problem('body.invalid', { errors: [notInFuture] });
    const { userName: userId } = c.env.session;
    const made = await keys.mint({ userId, kind: 'own', name, resourceId: c.req.param('id'), expiresAt, attempt });
    return c.json<CreatedApiKey>(made, 201);
  });

  routes.delete('/devices/:id/keys/:key', async (c) => {
    requireConfirmed(c.env.session);
    const { id: resourceId, key: id } = c.req.param();
    const revoked = await keys.revoke({ userId: c.env.session.userName, id, resourceId });
    if (!revoked) throw new Problem('key.not_found');
    return c.body(null, 204);
  });
  return routes;
}
