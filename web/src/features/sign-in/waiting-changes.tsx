import { useEffect, useState } from 'react';
import { t } from '../../text/text.ts';
import { Note } from '../../ui/toasts/notice.tsx';

/** Says that what a user did without a network still waits, also if another one signs in. Without `user_id`: of all users. */
export function WaitingChanges({ user_id }: { user_id?: string }) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    // Without a database, nothing can wait.
    void import('../../data/outbox/outbox.ts')
      .then(({ countWaiting }) => countWaiting(user_id))
      .then(setCount, () => undefined);
  }, [user_id]);
  return count > 0 && <Note icon="clock">{t.account.session.waiting(count)}</Note>;
}
