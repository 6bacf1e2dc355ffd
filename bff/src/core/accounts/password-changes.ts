import { Problem, type Report } from '../problem.ts';
import { userNameRule } from '../limits/field-rules.ts';
import { foldUserName, requireUsablePassword } from './account-rules.ts';
import type { PasswordChanged, Recovered } from './begin-session.ts';
import type { RecoveryCodes } from '../../capabilities/recovery/recovery-codes.store.ts';
import type { Users } from './users.store.ts';

/** What the user of a session sends. The new password was checked. */
interface ChangeByUser {
  userName: string;
  sessionId: string;
  userAgent: string;
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
}

/** A user who has lost the password, and a recovery code. The new password was checked. */
interface ChangeByCode extends Omit<Recovered, 'way'> {
  code: string;
  newPassword: string;
}

export type PasswordChanges = ReturnType<typeof createPasswordChanges>;

/** The ways to change a password, except for links (`address/link-uses.ts`). */
export function createPasswordChanges({
  users,
  recoveryCodes,
  requireConfirmAttempt,
  onPasswordChanged,
  onRecovered,
  report,
}: {
  users: Pick<Users, 'verifyPassword' | 'setPassword'>;
  recoveryCodes: Pick<RecoveryCodes, 'find'>;
  /** @throws Problem `rate.exceeded` */
  requireConfirmAttempt: (userName: string) => void;
  onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
  onRecovered: (recovered: Recovered) => Promise<void>;
  report: Report;
}) {
  return {
    /** @throws Problem `password.wrong` for a wrong current one, `rate.exceeded` */
    async byUser(change: ChangeByUser): Promise<void> {
      const { userName, sessionId, userAgent, currentPassword, newPassword: password, revokeOtherSessions } = change;
      requireConfirmAttempt(userName);
      const keep = revokeOtherSessions ? { sessionId } : 'all';
      const verified = await users.verifyPassword({ userName, password: currentPassword, requestedBy: userName });
      // False if another request has changed the password meanwhile.
      const isChanged =
        verified && (await users.setPassword({ userName, password, keep, preconditions: [verified.unchanged] }));
      if (!isChanged) {
        const detail = 'is not the password of this account';
        const errors = [{ pointer: '/currentPassword', code: 'password.wrong', detail }];
        throw new Problem('password.wrong', { errors });
      }
      await onPasswordChanged({ userName, by: 'user', userAgent }).catch(report);
    },

    /** Uses the code up, sets the password and ends all sessions, in one write. @throws Problem `sign_in.wrong_code` */
    async byCode({ code, newPassword: password, ...recovered }: ChangeByCode): Promise<void> {
      const { userName } = recovered;
      const unused = userNameRule.test(userName) && (await recoveryCodes.find({ userName, code }));
      // Only a right code costs a hash.
      const isUsed = unused && (await users.setPassword({ userName, password, keep: 'none', preconditions: [unused] }));
      if (!isUsed) throw new Problem('sign_in.wrong_code');
      await onRecovered({ ...recovered, way: 'code' }).catch(report);
    },

    /** Ends all sessions. Returns false if there is no such user. @throws Problem `password.too_weak`, `password.too_common` */
    async byOperator({ userName: typed, password }: { userName: string; password: string }): Promise<boolean> {
      await requireUsablePassword({ password, pointer: '/password' });
      const userName = foldUserName(typed);
      const isChanged = await users.setPassword({ userName, password, keep: 'none' });
      if (isChanged) await onPasswordChanged({ userName, by: 'operator', userAgent: undefined }).catch(report);
      return isChanged;
    },
  };
}
