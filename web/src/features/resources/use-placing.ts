import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Device, MachineType, Position } from '@swarmdeck/bff/contract';
import { useToasts } from '../../ui/toast.tsx';
import { t } from '../../text/text.ts';

/** What waits for its place on the map: a device, or the draft of one (its id is empty). */
export interface Placing {
  id: string;
  name: string;
  machine_type: MachineType;
  /** Where it stood. */
  before: Position | null;
}

/** A tenth of a metre is as exact as a click can be. */
const rounded = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(6)),
  longitude: Number(longitude.toFixed(6)),
});

/** The mode in which the map takes a place for a device. Undo puts it back to where it stood. */
export function usePlacing({
  onDraftPlaced,
  onPlaced,
}: {
  onDraftPlaced(at: Position): void;
  onPlaced(id: string, at: Position): void;
}) {
  const [placing, setPlacing] = useState<Placing | null>(null);
  const client = useQueryClient();
  const place = useMutation({
    mutationFn: async (to: { id: string; position: Position | null }) =>
      (await import('./resource-writes.api.ts')).placeDevice({ client, ...to }),
  });
  const toasts = useToasts();

  const start = (next: Placing | null) => {
    place.reset();
    setPlacing(next);
  };
  return {
    placing,
    busy: place.isPending,
    error: place.error,
    start,
    startWith: ({ id, name, machine_type, position }: Device) =>
      start({ id, name, machine_type, before: position ?? null }),
    cancel: () => start(null),
    placeAt(at: Position) {
      if (!placing) return;
      const { id, before } = placing;
      if (id === '') {
        start(null);
        return onDraftPlaced(rounded(at));
      }
      place.mutate(
        { id, position: rounded(at) },
        {
          onSuccess: () => {
            setPlacing(null);
            onPlaced(id, at);
            toasts.show({
              title: t.devices.placed,
              icon: 'check',
              action: { label: t.devices.waiting.undo, onAct: () => place.mutate({ id, position: before }) },
            });
          },
        },
      );
    },
  };
}
