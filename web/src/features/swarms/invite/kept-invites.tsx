import { useEffect } from 'react';
import { useInvites } from './invites-of.ts';

/** Goes on with invitations that were being sent when their page was closed. */
export function KeptInvites({ user_id }: { user_id: string }) {
  const { invites, kept } = useInvites(user_id);
  useEffect(() => kept.watch(invites.goOn), [invites, kept]);
  return null;
}
