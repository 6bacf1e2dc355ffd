import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { SecondFactorNeeded } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { Problem, type Report } from '../../core/problem.ts';
import { foldUserName, requirePasswords, requireUsablePassword } from '../../core/accounts/account-rules.ts';
import { fromOf } from '../../core/accounts/from.ts';
import type { AddressMails } from './address-mails.ts';
import { languageField } from './address.routes.ts';
import type { LinkUses } from './link-uses.ts';

const text = z.string().max(limits.textLength);
const linkBody = z.strictObject({ code: text });
/** Without passwords, the link begins a session. */
const useLinkBody = linkBody.extend({ newPassword: text.optional() });
/** The name or the address that the user remembers. `language`: of the page; one from before an update does not send it. */
const mailLinkBody = z.strictObject({ username: text.transform(foldUserName), language: languageField.optional() });

/** Links for a lost password, of an operator and by mail, and those that verify an address. */
export function linkRoutes({
  passwords,
  addressMails,
  links,
  requireAttempt,
  report,
}: {
  /** Whether users have passwords. */
  passwords: boolean;
  addressMails: Pick<AddressMails, 'isAvailable' | 'sendPasswordLink' | 'verify'>;
  links: Pick<LinkUses, 'openLink' | 'useLink' | 'enterByLink'>;
  /** By address. @throws Problem `rate.exceeded` */
  requireAttempt: (c: Context, what: string) => void;
  report: Report;
}): Hono {
  const routes = new Hono();

  routes.post('/password-link', async (c) => {
    requireAttempt(c, 'link');
    const { body } = await readJsonBody(c, linkBody);
    return c.json({ user_id: await links.openLink(body.code) });
  });

  routes.post('/password-link/use', async (c) => {
    requireAttempt(c, 'link');
    const { code, newPassword = '' } = (await readJsonBody(c, useLinkBody)).body;
    if (!passwords) {
      const { cookies, isAsked } = await links.enterByLink(code, fromOf(c));
      const headers = { 'set-cookie': cookies };
      return isAsked ? c.json<SecondFactorNeeded>({ second_factor: true }, 200, headers) : c.body(null, 204, headers);
    }
    await requireUsablePassword({ password: newPassword, pointer: '/newPassword' });
    await links.useLink({ code, newPassword }, fromOf(c));
    return c.body(null, 204);
  });

  routes.post('/mail-link', async (c) => {
    requireAttempt(c, 'lost');
    requirePasswords(passwords);
    if (!addressMails.isAvailable) throw new Problem('mail.off');
    const { username, language } = (await readJsonBody(c, mailLinkBody)).body;
    // After the answer, which is the same for every text, and takes the same time.
    setImmediate(() => void addressMails.sendPasswordLink({ typed: username.trim(), language }).catch(report));
    return c.body(null, 202);
  });

  // Without a session: the email may be read on another device.
  routes.post('/address', async (c) => {
    requireAttempt(c, 'address');
    const { body } = await readJsonBody(c, linkBody);
    return c.json({ user_id: await addressMails.verify({ ...body, userAgent: userAgentOf(c) }) });
  });
  return routes;
}
