import { isLoopback } from '../http/loopback.ts';
import { readSecretFile } from './secret-file.ts';

/** A provider of single sign-on (OpenID Connect). */
export interface OidcProvider {
  /** In URLs and in the database: a-z, 0-9. */
  name: string;
  /** What users read. */
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Who is an operator of this server: users whose claim is this value, or has it among its values. */
  operator: { claim: string; value: string } | undefined;
}

const parts = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_SECRET_FILE', 'LABEL', 'SCOPE', 'OPERATOR'] as const;
type Part = (typeof parts)[number];
const settingName = new RegExp(String.raw`^OIDC_([A-Z0-9]{1,32})_(${parts.join('|')})$`);
const mostLabel = 40;
/** What a session remembers of other ways to sign in. */
const otherWays = ['password', 'passkey', 'code', 'link'];

type Env = Record<string, string | undefined>;

/** All variables that look like settings of providers, also unknown ones. */
const providerSettings = (env: Env): [setting: string, text: string][] =>
  Object.entries(env).filter(
    (each): each is [string, string] => each[0].startsWith('OIDC_') && each[0] !== 'OIDC_ONLY' && Boolean(each[1]),
  );

export const hasProviderSettings = (env: Env): boolean => providerSettings(env).length > 0;

/** The providers of all settings `OIDC_<NAME>_…`, by their names. Adds what is wrong with them to `faults`. */
export function readOidcProviders(env: Env, faults: string[]): OidcProvider[] {
  const settings = new Map<string, Partial<Record<Part, string>>>();
  for (const [setting, text] of providerSettings(env)) {
    const [, name, part] = settingName.exec(setting) ?? [];
    if (name === undefined) {
      faults.push(`${setting}: is no setting. Those of a provider are OIDC_<NAME>_ and one of ${parts.join(', ')}`);
      continue;
    }
    settings.set(name, { ...settings.get(name), [part as Part]: text });
  }
  return [...settings]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, texts]) => readProvider(name, texts, faults) ?? []);
}

function readProvider(name: string, texts: Partial<Record<Part, string>>, faults: string[]): OidcProvider | undefined {
  const before = faults.length;
  const fault = (part: Part, takes: string) => void faults.push(`OIDC_${name}_${part}: ${takes}`);
  const { ISSUER = '', CLIENT_ID = '', LABEL: label = name[0] + name.slice(1).toLowerCase(), OPERATOR } = texts;
  const { SCOPE: scope = 'openid profile', CLIENT_SECRET_FILE: file } = texts;
  if (otherWays.includes(name.toLowerCase())) faults.push(`OIDC_${name}_ISSUER: takes another name than ${name}`);
  if (!isIssuer(ISSUER)) fault('ISSUER', 'takes an https address, or an http address on this machine');
  if (!CLIENT_ID) fault('CLIENT_ID', 'must be set');
  if (texts.CLIENT_SECRET && file)
    fault('CLIENT_SECRET_FILE', `only one of it and OIDC_${name}_CLIENT_SECRET can be set`);
  const clientSecret = texts.CLIENT_SECRET ?? (file === undefined ? undefined : readSecretFile(file));
  if (!clientSecret && file) fault('CLIENT_SECRET_FILE', 'takes a readable file');
  else if (!clientSecret) fault('CLIENT_SECRET', 'must be set');
  if (label.trim() === '' || [...label].length > mostLabel || /\p{Cc}/u.test(label))
    fault('LABEL', `takes up to ${mostLabel} characters`);
  if (!scope.split(' ').includes('openid'))
    fault('SCOPE', 'takes words with spaces between them, one of which is openid');
  const [, claim = '', value = ''] = /^([^=\s]+)=(.+)$/.exec(OPERATOR ?? '') ?? [];
  if (OPERATOR !== undefined && claim === '') fault('OPERATOR', 'takes a claim and its value, like groups=operators');
  if (faults.length > before) return undefined;
  const operator = OPERATOR === undefined ? undefined : { claim, value };
  return {
    name: name.toLowerCase(),
    label,
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: clientSecret!,
    scope,
    operator,
  };
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}
