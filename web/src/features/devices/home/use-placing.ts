import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useRef, useState } from 'react';
import type { Device, MachineType, Position } from '@swarmdeck/bff/contract';
import { roundPosition } from '../../../text/text.ts';
import { useErrorToast, useToasts } from '../../../ui/toasts/toast.tsx';

type Placed = Pick<Device, 'position' | 'positioned_at' | 'accuracy'>;

/** The device that is being placed on the map, or the draft of a new one (its id is empty). */
export interface Placing {
  id: string;
  name: string;
  machine_type: MachineType;
  /** With the previous position; null for a draft. */
  before: Placed | null;
  /** Where the map goes first: under a pin, this is the position until the user moves the map. */
  at: Position | null;
  /** The proposed position: shown by a marker, and confirmed by a button. */
  proposed: Position | null;
  /** The search of a place. */
  q?: string;
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
  /** What is sent for the device that is being placed: a second click may come before `sent` is rendered. */
  const sending = useRef<object>(null);
  const toasts = useToasts();
  const showError = useErrorToast();

  const start = (next: Placing | null) => {
    sending.current = null;
    setSent(idle);
    setPlacing(next);
  };
  async function placeAt(at: Position) {
    if (!placing || sending.current) return;
    const { id, before } = placing;
    const position = roundPosition(at);
    if (id === '') {
      start(null);
      return onDraftPlaced(position);
    }
    const own = (sending.current = {});
    // Meanwhile the user may have cancelled, and be placing another device.
    const isShown = () => sending.current === own;
    setSent({ busy: true, error: null });
    try {
      // Loads with the first position.
      const { placeWithUndo } = await import('./place-with-undo.ts');
      await placeWithUndo({ client, id, position, before, isShown, show: toasts.show, showError });
    } catch (error) {
      if (!isShown()) return;
      sending.current = null;
      return setSent({ busy: false, error: error as Error });
    }
    if (isShown()) {
      onPlaced(id, at);
      // With the selection, which is a transition: the card of the device takes the focus of the removed button.
      startTransition(() => start(null));
    }
  }
  return {
    placing,
    ...sent,
    start,
    startWith: (before: Device) => start({ ...before, before, at: before.position ?? null, proposed: null }),
    propose: (proposed: Position | null) => setPlacing((now) => now && { ...now, proposed }),
    search: (q: string) => setPlacing((now) => now && { ...now, q }),
    cancel() {
      start(null);
      if (placing?.id === '') onDraftPlaced(null);
    },
    placeAt: (at: Position) => void placeAt(at),
  };
}
