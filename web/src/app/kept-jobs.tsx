import { KeptImport } from '../features/import/job/kept-import.tsx';
import { KeptAnswers } from '../features/invitations/answers/kept-answers.tsx';
import { KeptBoard } from '../features/swarms/board/kept-board.tsx';
import { KeptInvites } from '../features/swarms/invite/kept-invites.tsx';
import { KeptMembers } from '../features/swarms/members/kept-members.tsx';

/** Continues the jobs of closed tabs, on any page. */
export function KeptJobs({ user_id }: { user_id: string }) {
  return (
    <>
      <KeptAnswers />
      <KeptBoard />
      <KeptImport user_id={user_id} />
      <KeptInvites user_id={user_id} />
      <KeptMembers user_id={user_id} />
    </>
  );
}
