import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import type { HomeSheet } from './use-home-sheet.ts';

/** The search field of the list. */
export function useSearch({ setStop }: Pick<HomeSheet, 'setStop'>) {
  const field = useRef<HTMLInputElement>(null);
  return {
    field,
    ...useStableFunctions({
      startSearch() {
        // On a phone the field is rendered only at this stop.
        flushSync(() => setStop('list'));
        field.current?.focus();
      },
    }),
  };
}
