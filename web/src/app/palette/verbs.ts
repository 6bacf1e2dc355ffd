import type { IconName } from '../../ui/icon.tsx';
import type { KeyTable, KeyPlace } from '../../ui/key-table.ts';
import { score } from './match.ts';

/** Something one can do from here. */
export interface Verb {
  id: string;
  icon: IconName;
  /** `{q}` is where what was typed stands. */
  label: string;
  /** Other words by which it is found. */
  also?: string;
  keys?: KeyTable[KeyPlace];
  /** Where it leads, for what leads somewhere. */
  to?: string;
  /** Makes something of whatever was typed: stands after what matches it. */
  takesTyped?: boolean;
  run(): void;
}

/** The verbs that fit, the best first; all of them while nothing is typed. */
export function verbsFor({ typed, verbs }: { typed: string; verbs: readonly Verb[] }): Verb[] {
  const word = typed.trim();
  if (word === '') return verbs.filter(({ takesTyped }) => !takesTyped);
  const fit = verbs
    .filter(({ takesTyped }) => !takesTyped)
    .map((verb) => ({ verb, fits: score({ typed: word, label: verb.label, ...(verb.also && { also: verb.also }) }) }))
    .filter(({ fits }) => fits > 0)
    .sort((a, b) => b.fits - a.fits)
    .map(({ verb }) => verb);
  return [...fit, ...verbs.filter(({ takesTyped }) => takesTyped)];
}
