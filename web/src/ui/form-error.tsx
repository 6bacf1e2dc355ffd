import { useUi } from './environment.tsx';
import { Note } from './notice.tsx';

/** Says in a form why it was not saved. Always rendered, because only changes in a live region are read aloud. */
export function FormError({
  error,
  unsent = false,
}: {
  error: Error | null | false;
  /** The server could not be reached. The form is sent again automatically. */
  unsent?: boolean;
}) {
  const { words, errorSentence } = useUi();
  return (
    <div role="alert">
      {unsent && (
        <Note tone="warn" icon="cloud-off">
          {words.unsent}
        </Note>
      )}
      {error && !unsent && (
        <Note tone="bad" icon="warning">
          {errorSentence(error)} {words.input_stays}
        </Note>
      )}
    </div>
  );
}
