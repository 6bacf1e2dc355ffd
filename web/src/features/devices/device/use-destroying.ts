import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useIsEditable } from './use-create-again.ts';
import { useDeviceSaving } from './use-device-saving.ts';

/** Deleting the device, or handing it over, after a question. */
export const [DestroyingProvider, useDestroying] = shareHook(function useDestroyingState() {
  const isPossible = useIsEditable();
  const { guard } = useDeviceSaving();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [asked, setAsked] = useState<'delete' | 'hand_over' | null>(null);
  return {
    asked,
    /** Undefined if the user may not do it, or it is being deleted. */
    ask: isPossible ? setAsked : undefined,
    close: () => setAsked(null),
    /** Leaves the page of the device that is being deleted. */
    leave() {
      guard.release();
      void navigate({ pathname: '/', search: withoutSelection((state as { home?: string } | null)?.home) });
    },
  };
});

/** The URL of the list without the selection of the deleted device. */
function withoutSelection(search = ''): string {
  const params = new URLSearchParams(search);
  params.delete('sel');
  return params.toString();
}
