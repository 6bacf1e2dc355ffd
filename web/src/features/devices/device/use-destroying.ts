import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import type { CreateAgain } from './use-create-again.ts';
import type { DeviceSaving } from './use-device-saving.ts';

interface DestroyingOptions {
  again: Pick<CreateAgain, 'isEditable'>;
  saving: Pick<DeviceSaving, 'guard'>;
}

/** Deleting the device, or handing it over, after a question. */
export function useDestroying({ again: { isEditable }, saving: { guard } }: DestroyingOptions) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [asked, setAsked] = useState<'delete' | 'hand_over' | null>(null);
  return {
    asked,
    /** Undefined if the user may not do it, or it is being deleted. */
    ask: isEditable ? setAsked : undefined,
    ...useStableFunctions({
      close: () => setAsked(null),
      /** Leaves the page of the device that is being deleted. */
      leave() {
        guard.release();
        void navigate({ pathname: '/', search: withoutSelection((state as { home?: string } | null)?.home) });
      },
    }),
  };
}

/** The URL of the list without the selection of the deleted device. */
function withoutSelection(search = ''): string {
  const params = new URLSearchParams(search);
  params.delete('sel');
  return params.toString();
}
