import { useKeyboard } from '../../ui/keys-provider.tsx';
import { keyTexts } from '../help/key-sections.ts';
import type { Verb } from './verbs.ts';

/** The shortcuts of a page that are useful as commands, unlike stepping, selecting and closing. */
const sentences: Record<string, Verb['icon']> = {
  '/': 'search',
  Enter: 'forward',
  e: 'edit',
  a: 'check',
  r: 'close',
  i: 'send',
  m: 'device',
  l: 'list',
  f: 'fit',
};

/** These move the focus, which touch screens do not need. */
const forKeyboard = ['m', 'l'];

/** The commands of the visible page. */
export function useVerbsHere({ touch }: { touch: boolean }): Verb[] {
  const keyboard = useKeyboard();
  return keyboard
    .layers()
    .filter(({ place }) => place !== 'everywhere' && place !== 'waiting')
    .flatMap(({ place, actions }) =>
      Object.entries(actions)
        .filter(([keys]) => sentences[keys] && !(touch && forKeyboard.includes(keys)))
        .map(([keys, action]) => ({
          id: `${place} ${keys}`,
          icon: sentences[keys]!,
          label: (keyTexts()[place] as Record<string, string>)[keys]!,
          keys: keys as NonNullable<Verb['keys']>,
          run: () => action(new KeyboardEvent('keydown')),
        })),
    );
}
