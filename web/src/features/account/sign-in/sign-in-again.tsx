import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../account-words.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in over the page: the page beneath keeps its view and what was typed, and is asked for again afterwards. */
export function SignInAgain({
  user_id,
  title = words.session.ended_title,
  text = words.session.ended_text,
  onClose,
}: {
  user_id: string;
  title?: string;
  text?: string;
  /** Without it there is no way around. */
  onClose?(): void;
}) {
  const client = useQueryClient();
  return (
    <Dialog size="small" title={title} description={text} {...(onClose && { onClose })}>
      <SignInForm
        mode="sign-in"
        user_id={user_id}
        onEntered={() => {
          onClose?.();
          void client.invalidateQueries();
        }}
      />
      <p>
        {/* a whole new page: nothing of one user may stay behind for another */}
        <a href="/sign-in">{words.session.other_user}</a>
      </p>
    </Dialog>
  );
}
