import { jumpKeys } from './apple.ts';

const named: Record<string, string> = { Enter: '↵', Escape: 'Esc', 'mod k': jumpKeys };

/** How keys are written on what one presses: `g d` is `G` `D`, `mod k` is `Ctrl K`, or `⌘ K`. */
export function keyNames(keys: string): string[] {
  const name = named[keys];
  return name === undefined ? keys.toUpperCase().split(' ') : [name];
}
