/** The requests of the account page about the mail address of a user. */
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { readJsonBody } from '../../core/http/json-body.ts';
import { bindingsOf, userAgentOf } from '../../core/http/request-bindings.ts';
import { isMailAddress, longestMailAddress } from '../../core/limits/mail-address.ts';
import { withAsciiDomain } from './ascii-domain.ts';
import type { MailAddress } from './contract.ts';
import type { AddressMails } from './address-mails.ts';
import type { Session, SessionLives } from '../../core/accounts/sessions.store.ts';

/** The language of a page. */
export const languageField = z.string().regex(/^[A-Za-z-]{2,16}$/);
const putBody = z.strictObject({
  address: z
    .string()
    .max(longestMailAddress)
    .transform(withAsciiDomain)
    .refine(isMailAddress, 'must be an email address'),
  language: languageField,
});
const noStore = { 'cache-control': 'no-store' };

export function addressRoutes({
  addressMails,
  sessionOf,
  requireConfirmed,
}: {
  addressMails: AddressMails;
  sessionOf: (c: Context) => Session;
  /** @throws Problem `session.confirm` */
  requireConfirmed: (session: Session) => SessionLives;
}): Hono {
  const routes = new Hono();
  const changeOf = (c: Context) => {
    const session = sessionOf(c);
    return { userName: session.userName, lives: requireConfirmed(session), userAgent: userAgentOf(c) };
  };

  routes.get('/account/address', async (c) => {
    const { verified, unverified } = await addressMails.find(sessionOf(c).userName);
    const { address = null, verified_at = null } = verified ?? unverified ?? {};
    const next_address = (verified && unverified?.address) ?? null;
    const isAvailable = addressMails.isAvailable;
    return c.json<MailAddress>({ is_available: isAvailable, address, verified_at, next_address }, 200, noStore);
  });

  routes.put('/account/address', async (c) => {
    const change = { ...changeOf(c), client: bindingsOf(c).clientAddress() };
    await addressMails.change({ ...change, ...(await readJsonBody(c, putBody)).body });
    return c.body(null, 204);
  });

  routes.delete('/account/address', async (c) => {
    await addressMails.remove(changeOf(c));
    return c.body(null, 204);
  });
  return routes;
}
