/** What messages say that are not kept yet, or are not kept at all. */
import type { KeptValues } from '../../contract.ts';
import { defineShape } from '../../store/shape.ts';
import { saidIn, type Said, type SaidRow } from './said-values.ts';

export const messageValues = defineShape(
  new URL('./message-values.shape.ts', import.meta.url),
  'messageValues',
  (rows: readonly SaidRow[], options: { keeps: KeptValues; since: number }): Said[] => saidIn(rows, options),
);
