import { useLocation, useNavigate } from 'react-router';
import { shareHook } from '../../../ui/share-hook.tsx';
import { newDevice } from '../form/device-form.tsx';
import { useCreateDevice } from '../device-writes.api.ts';
import { useDeviceDraft, useFormSaving } from './use-device-editor.ts';
import { useDeviceSaving } from './use-device-saving.ts';
import { useShownDevice } from './use-shown-device.ts';

/** An own device that was deleted elsewhere while the user edited it: what was typed becomes a new one. */
export const [CreateAgainProvider, useCreateAgain] = shareHook(function useCreateAgainState() {
  const { isOwn, isDestroyedElsewhere } = useShownDevice();
  const { draft } = useDeviceDraft();
  const { isGone } = useFormSaving();
  const { guard, check } = useDeviceSaving();
  const create = useCreateDevice();
  const navigate = useNavigate();
  const { state } = useLocation();
  /** Returns the id of the new device. */
  const createAgain = async () => {
    check();
    const device = newDevice(draft);
    if (!device) return null;
    try {
      return (await create.mutateAsync(device)).id;
    } catch {
      return null;
    }
  };
  return {
    isDeleted: isOwn && (isDestroyedElsewhere || isGone),
    isCreating: create.isPending,
    error: create.error,
    /** Returns whether it is created. */
    create: async () => (await createAgain()) !== null,
    /** Shows the new device instead of this one. */
    async replace() {
      const id = await createAgain();
      if (id === null) return;
      guard.release();
      void navigate(`/devices/${id}`, { replace: true, state: state as unknown });
    },
  };
});

/** Whether it is a device of the user that exists, and is not being deleted. */
export function useIsEditable(): boolean {
  const { isOwn, going } = useShownDevice();
  const { isDeleted } = useCreateAgain();
  return isOwn && !going && !isDeleted;
}
