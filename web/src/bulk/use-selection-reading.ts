import { useEffect, useState } from 'react';

/**
 * Reads the rows that are to be selected, if the list has not loaded them. A reading ends when another one begins, when `scope` changes
 * (which rows the list has), and when the user leaves the page: what it finds would be selected in another list.
 */
export function useSelectionReading(scope: string) {
  const [last, setLast] = useState<{ scope: string; controller: AbortController } | null>(null);
  const reading = last?.scope === scope && !last.controller.signal.aborted ? last.controller : null;
  useEffect(() => () => reading?.abort(), [reading]);
  return {
    isReading: reading !== null,
    stop: () => setLast(null),
    /** Rejects if `read` fails, unless the reading has ended. */
    async read(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
      const controller = new AbortController();
      setLast({ scope, controller });
      try {
        await read(controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        setLast((now) => (now?.controller === controller ? null : now));
      }
    },
  };
}
