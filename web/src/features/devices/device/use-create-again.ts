import { useQuery } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { useLocation, useNavigate } from 'react-router';
import { deviceMerge, valuesOf, type DeviceField } from '../../../data/forms/device-fields.ts';
import { deviceOutbox, useDeviceEdits } from '../../../data/outbox/device-outbox.ts';
import { hasEditedField, useStaysForInput } from '../../../ui/fields/unsaved-input.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { newDevice } from '../form/device-form.tsx';
import { deviceEndQuery } from '../device.api.ts';
import { useCreateDevice } from '../device-writes.api.ts';
import type { DeviceForm } from './use-device-editor.tsx';
import type { DeviceSaving } from './use-device-saving.ts';
import type { ShownDevice } from './use-shown-device.ts';

interface CreateAgainOptions {
  shown: ShownDevice;
  draft: Pick<DeviceForm['draft'], 'draft'>;
  saving: Pick<DeviceSaving, 'guard' | 'check'>;
}

/**
 * An own device that is gone while its page is open: it was deleted elsewhere, and what was typed can become a new one, or another user
 * has taken it over.
 */
export function useCreateAgain({ shown, draft: { draft }, saving: { guard, check } }: CreateAgainOptions) {
  const { resource, user_id, isOwn, isDestroyedElsewhere, going } = shown;
  const edits = useDeviceEdits(user_id, resource.id);
  const isGone = isOwn && isDestroyedElsewhere;
  const isLost = isGone || !isOwn;
  const stays = useStaysForInput(isLost, hasEditedField);
  const read = useQuery({ ...deviceEndQuery(resource.id), enabled: isGone });
  /** Undefined until it is known. */
  const end = isGone ? read.data : undefined;
  const isTaken = end?.kind === 'resource.handed_over';
  const isPossible = isGone && read.isSuccess && !isTaken;
  const create = useCreateDevice();
  const navigate = useNavigate();
  const { state } = useLocation();
  /** Returns whether it is created. `onCreated` is not called after the page was left. */
  async function createAgain(onCreated?: (device: Resource) => void) {
    check();
    const device = newDevice(draft);
    if (!device) return false;
    try {
      await create.mutateAsync(device, { onSuccess: (created) => onCreated?.(created) });
      // The new one has these values.
      const isIn = (field: DeviceField) =>
        edits.every(({ task }) => deviceMerge.isEqual(field, task.change.mine, valuesOf(device)));
      void deviceOutbox.replaced(resource.id, deviceMerge.fields.filter(isIn));
      return true;
    } catch {
      return false;
    }
  }
  const functions = useStableFunctions({
    create: () => createAgain(),
    replace: () =>
      createAgain(({ id }) => {
        guard.release();
        void navigate(`/devices/${id}`, { replace: true, state: state as unknown });
      }),
  });
  return {
    isGone,
    /** Whether the form takes input: of a device of the user, also of one that was deleted elsewhere. */
    isTypable: isOwn && !going && !isTaken,
    /** Whether it is a device of the user that exists, and is not being deleted. */
    isEditable: isOwn && !going && !isGone,
    /** What belongs to an own device is shown. After its end, it stays only for what was typed there. */
    hasParts: !isLost || stays,
    end,
    isTaken,
    isCreating: create.isPending,
    error: create.error,
    /** Returns whether it is created. Undefined if it is not known to be possible. */
    create: isPossible ? functions.create : undefined,
    /** Shows the new device instead of this one. */
    replace: isPossible ? functions.replace : undefined,
  };
}

export type CreateAgain = ReturnType<typeof useCreateAgain>;
