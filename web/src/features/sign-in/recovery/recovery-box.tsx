import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { errorSentence, isOutcomeUnknown } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { useHasUnstoredCodes } from '../../../shared/account/unstored-codes.tsx';
import { SectionState } from '../../../shared/section-state.tsx';
import { recoveryCodesQuery, useNewRecoveryCodes } from './recovery.api.ts';
import './recovery.css';
import { ShownCodes } from './shown-codes.tsx';

/** How many recovery codes are left, and new ones. */
export function RecoveryBox({ id }: { id: string }) {
  const query = useQuery(recoveryCodesQuery);
  const make = useNewRecoveryCodes();
  const [isAsking, setAsking] = useState(false);
  const isUnstored = useHasUnstoredCodes();
  const close = () => {
    setAsking(false);
    make.reset();
  };
  return (
    <Box
      id={id}
      title={t.account.recovery.title}
      action={
        query.data && (
          <Button look="quiet" size="row" sends onClick={() => setAsking(true)}>
            {query.data.left === 0 ? t.account.recovery.make_first : t.account.recovery.make}
          </Button>
        )
      }
    >
      <SectionState query={query}>
        {({ left }) => (
          <div className="box-row">
            <div className="box-row-words recovery-words">
              {isUnstored === true && (
                <Note tone="warn" icon="warning">
                  {t.account.recovery.unstored} {t.account.recovery.unstored_text}
                </Note>
              )}
              <p className="box-row-title">{left === 0 ? t.account.recovery.none : t.account.recovery.left(left)}</p>
              <p className="quiet">{left === 0 ? t.account.recovery.none_text : t.account.recovery.text}</p>
            </div>
          </div>
        )}
      </SectionState>
      {isAsking && (
        <ConfirmDialog
          title={query.data?.left === 0 ? t.account.recovery.make_first : t.account.recovery.make}
          description={query.data?.left === 0 ? t.account.recovery.text : t.account.recovery.make_text}
          confirm={t.account.recovery.make_submit}
          isDangerous={false}
          busy={make.isPending}
          closingNote={t.account.recovery.is_sent}
          outcome={(data) => ({
            title: t.account.recovery.make,
            renderShown: (onClose) => <ShownCodes codes={data as NewRecoveryCodes} onClose={onClose} />,
          })}
          onConfirm={() => make.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={close}
        >
          <ErrorNote>
            {make.error && (isOutcomeUnknown(make.error) ? t.account.recovery.no_answer : errorSentence(make.error))}
          </ErrorNote>
        </ConfirmDialog>
      )}
      {make.data && <ShownCodes codes={make.data} onClose={close} />}
    </Box>
  );
}
