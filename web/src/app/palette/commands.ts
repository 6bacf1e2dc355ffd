import type { IconName } from '../../ui/symbols/icon.tsx';
import { fits, score } from './match.ts';

/** A command as the palette lists it. */
export interface ListedCommand {
  id: string;
  icon: IconName;
  /** `{q}` is replaced by the typed text. */
  label: string;
  /** Synonyms for matching. */
  also?: string;
  keys?: string | undefined;
  /** The page it opens, if it opens one. */
  to?: string | undefined;
  /** Uses the typed text itself, such as a search: listed after everything that matches the text. */
  takesTyped?: boolean;
  run(): void;
}

/** Shorter prefixes are too ambiguous to put a command before a device. */
const shortestBeginning = 3;

/** The matching commands, by their position among the other results. The best ones come first. */
interface FittingCommands {
  /** Their names begin with the typed text: before everything else. */
  first: ListedCommand[];
  /** Their words match, or contain the text: after devices, swarms and views, but before places. */
  middle: ListedCommand[];
  /** They contain text that is too short, fit but for a letter, or use the text itself: after everything else. */
  last: ListedCommand[];
}

interface FittingOptions {
  typed: string;
  commands: readonly ListedCommand[];
}

/** All commands in `middle` while nothing is typed. */
export function commandsFor({ typed, commands }: FittingOptions): FittingCommands {
  const word = typed.trim();
  const [named, taking] = [
    commands.filter(({ takesTyped }) => !takesTyped),
    commands.filter(({ takesTyped }) => takesTyped),
  ];
  if (word === '') return { first: [], middle: named, last: [] };
  const scored = named
    .map((command) => ({ command, points: score({ typed: word, ...command }) }))
    .toSorted((a, b) => b.points - a.points);
  const between = (least: number, most: number) =>
    scored.filter(({ points }) => points >= least && points <= most).map(({ command }) => command);
  if (word.length < shortestBeginning) {
    return {
      first: [],
      middle: between(fits.otherWords, fits.beginning),
      last: [...between(fits.partOfWord, fits.partOfWord), ...taking],
    };
  }
  return {
    first: between(fits.beginning, fits.beginning),
    middle: between(fits.partOfWord, fits.words),
    last: [...between(fits.misspelt, fits.misspelt), ...taking],
  };
}
