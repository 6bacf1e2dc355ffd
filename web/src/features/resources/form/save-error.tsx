import { errorSentence, ProblemError } from '../../../api/problem.ts';
import { t } from '../../../text/text.ts';
import { Note } from '../../../ui/notice.tsx';
import { problemErrors } from './device-form.tsx';

/** Why the server rejected the form, if no field shows it. */
export function SaveError({ error }: { error: Error }) {
  const atFields = error instanceof ProblemError && error.problem.errors !== undefined;
  const isShownAtFields = atFields && problemErrors(error.problem).others.length === 0;
  const text = isShownAtFields ? '' : errorSentence(error);
  if (text === '') return null;
  return (
    <Note tone="bad" icon="warning">
      {text} {t.device.add_dialog.input_stays}
    </Note>
  );
}
