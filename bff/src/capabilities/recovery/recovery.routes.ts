import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { SecondFactorNeeded } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { Problem, type Report } from '../../core/problem.ts';
import { userAgentOf } from '../../core/http/request-bindings.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { foldUserName, requirePasswords, requireUsablePassword } from '../../core/accounts/account-rules.ts';
import type { AddressMails } from '../addresses/address-mails.ts';
import { languageField } from '../addresses/address.routes.ts';
import type { LinkUses } from '../addresses/link-uses.ts';
import { fromOf } from '../../core/accounts/from.ts';
import type { LoginThrottle } from '../../core/accounts/login-throttle.ts';
import type { PasswordChanges } from '../../core/accounts/password-changes.ts';

const text = z.string().max(limits.textLength);
const userName = text.transform(foldUserName);
const linkBody = z.strictObject({ code: text });
/** Without passwords, the link begins a session. */
const useLinkBody = linkBody.extend({ newPassword: text.optional() });
const recoverBody = z.strictObject({ username: userName, code: text, newPassword: text });
/** The name or the address that the user remembers. `language`: of the page; one from before an update does not send it. */
const mailLinkBody = z.strictObject({ username: userName, language: languageField.optional() });

/** A lost password: recovery codes, links of an operator, and links that are emailed. */
export function recoveryRoutes({
  passwords,
  addressMails,
  loginThrottle,
  links,
  recover,
  requireAttempt,
  report,
}: {
  /** Whether users have passwords. */
  passwords: boolean;
  addressMails: Pick<AddressMails, 'isAvailable' | 'sendPasswordLink' | 'verify'>;
  loginThrottle: Pick<LoginThrottle, 'wasRight'>;
  links: Pick<LinkUses, 'openLink' | 'useLink' | 'enterByLink'>;
  recover: PasswordChanges['byCode'];
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

  // Bounded by address only: nobody guesses a code, and a limit by name would let strangers lock its owner out.
  routes.post('/recover', async (c) => {
    requireAttempt(c, 'recover');
    requirePasswords(passwords);
    const { username, code, newPassword } = (await readJsonBody(c, recoverBody)).body;
    await requireUsablePassword({ password: newPassword, pointer: '/newPassword' });
    const recovering = { ...fromOf(c), userName: username.trim(), code, newPassword };
    await recover(recovering);
    loginThrottle.wasRight(recovering);
    return c.body(null, 204);
  });
  return routes;
}
