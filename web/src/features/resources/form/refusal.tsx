import { errorParts, ProblemError } from '../../../api/problem.ts';
import { problemSentence, t } from '../../../text/text.ts';
import { Note } from '../../../ui/notice.tsx';
import { problemErrors } from './device-form.tsx';

/** Why the server said no, where it belongs to no field, and that nothing typed is lost. */
export function Refusal({ error }: { error: Error }) {
  const atFields = error instanceof ProblemError && error.problem.errors !== undefined;
  const text = atFields ? problemErrors(error.problem).others.join(' ') : problemSentence(errorParts(error));
  if (text === '') return null;
  return (
    <Note tone="bad" icon="warning">
      {text} {t.device.add_dialog.kept}
    </Note>
  );
}
