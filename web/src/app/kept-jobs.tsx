import { KeptAnswers } from '../features/invitations/kept-answers.tsx';

/** What closed pages left behind goes on, whatever page one looks at. */
export function KeptJobs() {
  return <KeptAnswers />;
}
