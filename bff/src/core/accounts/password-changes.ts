import { Problem, type Report } from '../problem.ts';
import { foldUserName, requireUsablePassword } from './account-rules.ts';
import type { PasswordChanged } from './begin-session.ts';
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

export type PasswordChanges = ReturnType<typeof createPasswordChanges>;

/** Changes of a password that is not lost. */
export function createPasswordChanges({
  users,
  requireConfirmAttempt,
  onPasswordChanged,
  report,
}: {
  users: Pick<Users, 'verifyPassword' | 'setPassword'>;
  /** @throws Problem `rate.exceeded` */
  requireConfirmAttempt: (userName: string) => void;
  onPasswordChanged: (changed: PasswordChanged) => Promise<void>;
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
