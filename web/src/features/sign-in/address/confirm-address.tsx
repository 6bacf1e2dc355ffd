import { ProblemError } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { ActionError, ErrorNote } from '../../../ui/fields/form-error.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { SignInFrame } from '../sign-in-frame.tsx';
import { useConfirmAddress } from '../sign-in.api.ts';

/** Where the link of an email leads. Only the button confirms the address, because mail servers open links, too. */
export function ConfirmAddress({ code }: { code: string }) {
  const text = t.account.address;
  const confirm = useConfirmAddress();
  const isGone = confirm.error instanceof ProblemError && confirm.error.code === 'address_link.not_found';
  return (
    <SignInFrame title={text.confirm_title}>
      <output>
        {confirm.data === undefined ? (
          !isGone && text.confirm_text
        ) : (
          <Note icon="check">
            <Rich text={text.confirmed} user={<b>{confirm.data}</b>} />
          </Note>
        )}
      </output>
      {isGone ? <ErrorNote>{text.gone}</ErrorNote> : <ActionError error={confirm.error} />}
      {confirm.data === undefined && !isGone ? (
        <Button look="primary" wide busy={confirm.isPending} onClick={() => confirm.mutate(code)}>
          {text.confirm_submit}
        </Button>
      ) : (
        <ButtonLink to="/account" look="primary">
          {text.to_account}
        </ButtonLink>
      )}
    </SignInFrame>
  );
}
