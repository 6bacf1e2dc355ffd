import { randomBytes } from 'node:crypto';
import { hourMs } from '../limits/durations.ts';
import type { Database } from '../store/database.ts';
import { createSeal } from '../store/seal.ts';
import type { Secrets } from '../store/secret.ts';
import { sql, type Statement } from '../store/statement.ts';
import { cookieHeader, cookieNames, readCookie } from './cookies.ts';
import { signInLimits } from '../limits/part-limits.ts';

/** The clocks of processes differ, and a write may wait: a used step is remembered for longer than it is valid. */
const rememberedMs = hourMs;
/** In characters. Browsers drop a cookie of more than 4,096 with its name. */
const longestValue = 3800;

/** What a sign-in remembers between two requests. */
export interface Step<T> {
  id: string;
  expires: number;
  value: T;
}

/** Fails a write if the step was taken already. */
type StepUnused = Statement<'step used'>;

export type Steps = ReturnType<typeof createSteps>;

/**
 * What a sign-in remembers between two requests is in an encrypted cookie, so that any process can go on, and no table is read.
 * The id of a step is stored with its outcome: it is taken once. A restored backup does not know which ones were taken, but it has
 * another name of the feed, for which none is valid.
 */
export function createSteps({
  db,
  secrets,
  feedName,
  now,
}: {
  db: Database;
  secrets: Secrets;
  feedName: string;
  now: () => Date;
}) {
  const { seal, unseal } = createSeal(secrets, 'sign-in step');
  const ownerOf = (kind: string) => `${kind} ${feedName}`;

  function cookieOf(kind: string, value: unknown, tag?: string): string {
    const id = randomBytes(16).toString('base64url');
    const step: Step<unknown> = { id, expires: now().getTime() + signInLimits.stepMs, value };
    const sealed = Buffer.from(seal({ text: JSON.stringify(step), owner: ownerOf(kind) })).toString('base64url');
    if (sealed.length > longestValue) throw new Error(`a step of ${sealed.length} characters is too long for a cookie`);
    return cookieHeader({ name: nameOf(kind, tag), value: sealed, maxAge: signInLimits.stepMs / 1000 });
  }

  function openCookie<T>(name: string, kind: string, request: Request): Step<T> | undefined {
    const value = readCookie(request.headers.get('cookie'), name);
    if (!value || value.length > longestValue) return undefined;
    const text = unseal({ sealed: Buffer.from(value, 'base64url'), owner: ownerOf(kind) });
    const step = text === undefined ? undefined : (JSON.parse(text) as Step<T>);
    return step && step.expires > now().getTime() ? step : undefined;
  }

  return {
    /** A `Set-Cookie` header, which replaces the browser's step of this kind. */
    seal: (kind: string, value: unknown): string => cookieOf(kind, value),

    /**
     * A step of one tab, which does not replace that of another. `tag`: what its next request names. Returns `Set-Cookie` headers: the
     * step, and the ends of the oldest ones.
     */
    sealOfTab({
      kind,
      value,
      tag,
      request,
    }: {
      kind: string;
      value: unknown;
      tag: string;
      request: Request;
    }): string[] {
      const olderFirst = cookieNames(request.headers.get('cookie')).filter((name) =>
        name.startsWith(`${nameOf(kind)}.`),
      );
      const ended = olderFirst
        .map((name) => ({ name, expires: openCookie(name, kind, request)?.expires ?? 0 }))
        .toReversed()
        .toSorted((one, other) => other.expires - one.expires)
        .slice(signInLimits.stepsOfBrowser - 1);
      return [cookieOf(kind, value, tag), ...ended.map(({ name }) => cookieHeader({ name, value: '', maxAge: 0 }))];
    },

    /** The browser's step of this kind and tag; undefined if it has none that is valid. `T` is what was sealed, and is not checked. */
    open: <T>(kind: string, request: Request, tag?: string): Step<T> | undefined =>
      openCookie<T>(nameOf(kind, tag), kind, request),

    /** Belongs in the write of the outcome. */
    used({ id, expires }: Pick<Step<unknown>, 'id' | 'expires'>): StepUnused {
      const until = new Date(expires + rememberedMs).toISOString();
      return {
        ...sql`INSERT INTO used_steps (id, expires_at) VALUES (${id}, ${until}) ON CONFLICT (id) DO NOTHING`,
        orFail: 'step used',
      };
    },

    /** A `Set-Cookie` header that removes the browser's step of this kind and tag. */
    cleared: (kind: string, tag?: string): string => cookieHeader({ name: nameOf(kind, tag), value: '', maxAge: 0 }),

    /** Deletes the used steps that are no longer valid. */
    async purge(): Promise<void> {
      await db.write([sql`DELETE FROM used_steps WHERE expires_at <= ${now().toISOString()}`]);
    },
  };
}

const nameOf = (kind: string, tag?: string) =>
  ['__Host-swarmdeck', kind, ...(tag === undefined ? [] : [tag])].join('.');
