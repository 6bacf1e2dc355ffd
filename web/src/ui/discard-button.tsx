import { useState } from 'react';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';
import { DiscardQuestion } from './dialog.tsx';

interface DiscardButtonProps {
  disabled: boolean;
  onDiscard(): void;
}

/** Takes back what was typed in a form, after a question: it is beside Save, and nothing brings it back. */
export function DiscardButton({ disabled, onDiscard }: DiscardButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const discard = () => {
    setAsking(false);
    onDiscard();
  };
  return (
    <>
      <Button disabled={disabled} focusableWhenDisabled onClick={() => setAsking(true)}>
        {t.shell.kit.discard}
      </Button>
      {isAsking && <DiscardQuestion onDiscard={discard} onStay={() => setAsking(false)} />}
    </>
  );
}
