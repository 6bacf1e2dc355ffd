/** On Apple systems Cmd replaces Ctrl, because text fields use Ctrl. */
export const isApple = /^(Mac|iP)/.test(navigator.platform);

/** The name of `mod k` on this system. */
export const jumpKeys = isApple ? '⌘ K' : 'Ctrl K';

const named: Record<string, string> = { Enter: '↵', Escape: 'Esc', 'mod k': jumpKeys };

/** The names on the keys: `g d` is `G` `D`, `mod k` is `Ctrl K` or `⌘ K`. */
export function keyNames(keys: string): string[] {
  const name = named[keys];
  return name === undefined ? keys.toUpperCase().split(' ') : [name];
}
