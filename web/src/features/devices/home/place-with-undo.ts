import type { QueryClient } from '@tanstack/react-query';
import type { Position } from '@swarmdeck/bff/contract';
import { formatPosition, t } from '../../../text/text.ts';
import type { useErrorToast, useToasts } from '../../../ui/toast.tsx';
import { placeDevice } from '../device-writes.api.ts';
import type { Placed } from './use-placing.ts';

interface PlaceWithUndoOptions {
  client: QueryClient;
  id: string;
  position: Position;
  /** With the previous position. */
  before: Placed | null;
  show: ReturnType<typeof useToasts>['show'];
  showError: ReturnType<typeof useErrorToast>;
}

/** Saves the position of a device, and then offers Undo. */
export async function placeWithUndo({ client, id, position, before, show, showError }: PlaceWithUndoOptions) {
  await placeDevice({ client, id, placed: { position } });
  const undo = () =>
    void placeDevice({ client, id, placed: before ?? {} }).catch((error) => showError(error, t.devices.undo_failed));
  const action = { label: t.shell.kit.undo, onAction: undo };
  show({ title: t.devices.placed(formatPosition(position)), icon: 'check', action });
}
