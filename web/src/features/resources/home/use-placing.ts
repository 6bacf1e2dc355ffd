import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Device, MachineType, Position } from '@swarmdeck/bff/contract';
import { formatPosition, roundPosition, t } from '../../../text/text.ts';
import { useErrorToast, useToasts } from '../../../ui/toast.tsx';

/** The device that is being placed on the map, or the draft of a new one (its id is empty). */
interface Placing {
  id: string;
  name: string;
  machine_type: MachineType;
  /** The previous position. */
  before: Position | null;
  /** The proposed position: shown by a marker, and confirmed by a button. */
  proposed: Position | null;
}

const idle: { busy: boolean; error: Error | null } = { busy: false, error: null };

interface PlacingOptions {
  /** Null: placing was cancelled. */
  onDraftPlaced(at: Position | null): void;
  onPlaced(id: string, at: Position): void;
}

/** The mode in which the user chooses a device's position on the map. Undo restores the position before. */
export function usePlacing({ onDraftPlaced, onPlaced }: PlacingOptions) {
  const [placing, setPlacing] = useState<Placing | null>(null);
  const client = useQueryClient();
  const [sent, setSent] = useState(idle);
  /** A second click may come before `sent` is rendered. */
  const isSending = useRef(false);
  const toasts = useToasts();
  const showError = useErrorToast();

  const start = (next: Placing | null) => {
    setSent(idle);
    setPlacing(next);
  };
  const send = async (to: { id: string; position: Position | null }) => {
    const { placeDevice } = await import('../resource-writes.api.ts');
    await placeDevice({ client, ...to });
  };
  const undo = async (to: { id: string; position: Position | null }) => {
    try {
      await send(to);
    } catch (error) {
      showError(error, t.devices.undo_failed);
    }
  };
  // Without useMutation, which the first page does not need to load.
  const place = async (to: { id: string; position: Position | null }) => {
    if (isSending.current) return false;
    isSending.current = true;
    setSent({ busy: true, error: null });
    try {
      await send(to);
      setSent(idle);
      return true;
    } catch (error) {
      setSent({ busy: false, error: error instanceof Error ? error : new Error(String(error)) });
      return false;
    } finally {
      isSending.current = false;
    }
  };
  async function placeAt(at: Position) {
    if (!placing) return;
    const { id, before } = placing;
    if (id === '') {
      start(null);
      onDraftPlaced(roundPosition(at));
      return;
    }
    if (!(await place({ id, position: roundPosition(at) }))) return;
    setPlacing(null);
    onPlaced(id, at);
    toasts.show({
      title: t.devices.placed(formatPosition(at)),
      icon: 'check',
      action: { label: t.shell.kit.undo, onAction: () => void undo({ id, position: before }) },
    });
  }
  return {
    placing,
    ...sent,
    start,
    startWith: ({ id, name, machine_type, position }: Device) =>
      start({ id, name, machine_type, before: position ?? null, proposed: null }),
    propose: (proposed: Position | null) => setPlacing((now) => now && { ...now, proposed }),
    cancel() {
      start(null);
      if (placing?.id === '') onDraftPlaced(null);
    },
    placeAt: (at: Position) => void placeAt(at),
  };
}
