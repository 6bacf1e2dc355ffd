import type { QueryClient } from '@tanstack/react-query';
import type { Position } from '@swarmdeck/bff/contract';
import { formatPosition } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import type { useErrorToast, useToasts } from '../../../ui/toasts/toast.tsx';
import { placeDevice } from '../device-writes.api.ts';

interface PlaceWithUndoOptions {
  client: QueryClient;
  id: string;
  position: Position;
  /** With the previous position. */
  before: Parameters<typeof placeDevice>[0]['placed'] | null;
  /** The user has not cancelled: the notice on the map says why it failed. */
  isShown(): boolean;
  show: ReturnType<typeof useToasts>['show'];
  showError: ReturnType<typeof useErrorToast>;
}

/** Saves the position of a device, and then offers Undo. */
export async function placeWithUndo(options: PlaceWithUndoOptions) {
  const { client, id, position, before, isShown, show, showError } = options;
  try {
    await placeDevice({ client, id, placed: { position } });
  } catch (error) {
    if (!isShown()) showError(error, t.device.placing.failed);
    throw error;
  }
  const undo = () =>
    void placeDevice({ client, id, placed: before ?? {} }).catch((error) => showError(error, t.devices.undo_failed));
  const action = { label: t.shell.kit.undo, onAction: undo };
  show({ title: t.devices.placed(formatPosition(position)), icon: 'check', action });
}
