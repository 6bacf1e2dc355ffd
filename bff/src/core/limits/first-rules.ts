/** The rules that the web app needs before its first view. It loads them without the others of `field-rules.ts`, so this file imports nothing. */
/** The characters of a search. */
export const searchLength = 200;
export const machineTypes = ['pc', 'bug', 'smartphone'] as const;
export const memberRoles = ['producer', 'consumer', 'both'] as const;
/** The states of a device: heard within its interval; heard before; expected and not heard; never heard. */
export const presenceStates = ['online', 'offline', 'silent', 'never'] as const;
/**
 * Every response of the server has this header. The app takes a response without it as no response: a proxy sent it, or a network
 * in which the user has to sign in.
 */
export const serverHeader = 'x-swarmdeck';
/** The paths of the app's pages (`app/pages.ts`). The server knows no others. */
export const pagePaths = [
  '/',
  '/devices/:id',
  '/swarms',
  '/swarms/:id',
  '/swarms/:id/map',
  '/discover',
  '/map',
  '/import',
  '/invite',
  '/join/:code',
  '/share',
  '/invitations',
  '/account',
  '/activity',
  '/operator',
  '/sign-in',
  '/view',
] as const;
/**
 * A link with a code in its fragment, as programs rewrite it that check the links of mails and chats: with `%23` for `#`, sometimes behind
 * parameters of their own. `/sign-in` also has other fragments in its parameters.
 */
export const rewrittenLink =
  /^\/(?:(view)(?:[/?].*?)?%(?:25)*23|(sign-in)(?:[/?].*?)?%(?:25)*23(link|address)(?:=|%(?:25)*3[Dd]))([\w.-]+)/;
/** Such a link as it was made. Undefined if `target`, a path with its query, is none. */
export function madeLink(target: string): string | undefined {
  const [, view, signIn, kind, code] = rewrittenLink.exec(target) ?? [];
  if (code === undefined) return undefined;
  return view ? `/view#${code}` : `/${signIn}#${kind}=${code}`;
}
