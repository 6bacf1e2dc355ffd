/** The requests of the account page about the mail address of a user. */
import { domainToASCII } from 'node:url';
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { MailAddress } from '../../contract.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { bindingsOf, userAgentOf } from '../../http/request-bindings.ts';
import { isMailAddress, longestMailAddress } from '../../limits/mail-address.ts';
import type { AddressMails } from './address-mails.ts';
import type { Session, SessionLives } from '../sessions.store.ts';

/**
 * A domain may be typed in any script. `domainToASCII` reads hosts of URLs: it would cut off a path and a line break, and reads numbers as
 * an IP address.
 */
function asciiDomain(typed: string): string {
  const domain = /[^\w.\-\u{80}-\u{10ffff}]/u.test(typed) ? '' : domainToASCII(typed);
  return /\.\d+$/.test(domain) ? '' : domain;
}

const putBody = z.strictObject({
  address: z
    .string()
    .max(longestMailAddress)
    .transform((text) => text.replace(/(?<=@)[^@]*$/, asciiDomain))
    .refine(isMailAddress, 'must be an email address'),
  language: z.string().regex(/^[A-Za-z-]{2,16}$/),
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
