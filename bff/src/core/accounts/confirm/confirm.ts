/** Users confirm their identity before sensitive changes, because somebody else may have found an open session. */
import { Problem } from '../../problem.ts';
import type { SecondFactors } from '../second-factors.store.ts';
import type { Session, SessionLives, Sessions } from '../sessions.store.ts';
import { signInLimits } from '../../limits/part-limits.ts';
import type { ConfirmingWay } from '../ways.ts';

/** What is read of a session. */
type ConfirmedSession = Pick<Session, 'sessionId' | 'userName' | 'isLimited' | 'confirmedAt'>;

export type Confirmation = ReturnType<typeof createConfirmation>;

export function createConfirmation({
  sessions,
  ways,
  secondFactors,
  requireAttempt,
  now,
}: {
  sessions: Pick<Sessions, 'confirm'>;
  secondFactors: Pick<SecondFactors, 'has' | 'lives'>;
  /** Read when all are made. */
  ways: readonly { confirming?: ConfirmingWay }[];
  /** @throws Problem `rate.exceeded` if this user has tried too often */
  requireAttempt: (userName: string) => void;
  now: () => Date;
}) {
  const confirming = () => ways.flatMap(({ confirming = [] }) => confirming);
  return {
    confirming,

    /** The names of the ways that the user has. Where the second factor of the user is asked for, only those that show one. */
    async waysOf({ userName, isLimited }: Pick<Session, 'userName' | 'isLimited'>): Promise<string[]> {
      const isSecond = isLimited && (await secondFactors.has(userName));
      const all = confirming();
      const has = await Promise.all(all.map(async (way) => (!isSecond || way.second) && way.isOf(userName)));
      return all.filter((_, index) => has[index]).map(({ name }) => name);
    },

    /**
     * Returns a `Set-Cookie` header. `sent`: the value of one way, by its name.
     * @throws Problem `confirm.wrong` at the way, or `rate.exceeded`
     */
    async confirm(options: { session: Session; proof: Record<string, unknown>; request: Request }): Promise<string> {
      const { session, proof, request } = options;
      const { userName } = session;
      const way = confirming().find(({ name }) => proof[name] !== undefined);
      if (!way) throw new Problem('body.invalid');
      requireAttempt(userName);
      const statements = await way.verify({ userName, value: proof[way.name], request });
      const setCookie = statements && (await sessions.confirm(session, statements, await way.second?.(userName)));
      if (setCookie) return setCookie;
      const detail = 'is not right';
      throw new Problem('confirm.wrong', { errors: [{ pointer: `/${way.name}`, code: 'confirm.wrong', detail }] });
    },

    /**
     * Returns a statement for the write of what was confirmed.
     * @throws Problem `session.confirm` if the user of the session has not shown within 10 minutes that it is them
     */
    requireConfirmed(session: ConfirmedSession): SessionLives {
      if (now().getTime() - session.confirmedAt >= signInLimits.confirmedMs) throw new Problem('session.confirm');
      return secondFactors.lives(session);
    },
  };
}
