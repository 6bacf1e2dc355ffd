import { useKeyboard } from '../../ui/keys-provider.tsx';
import { keyTexts } from '../help/key-sections.ts';
import type { Verb } from './verbs.ts';

/** Keys of a page that read well as a sentence; stepping, ticking and closing are for the keyboard. */
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

/** Fingers are on the map, or on the list. */
const forKeyboard = ['m', 'l'];

/** What the keys of the page in sight do. */
export function useVerbsHere({ touch }: { touch: boolean }): Verb[] {
  const keyboard = useKeyboard();
  return keyboard
    .layers()
    .filter(({ place }) => place !== 'everywhere' && place !== 'waiting')
    .flatMap(({ place, acts }) =>
      Object.entries(acts)
        .filter(([keys]) => sentences[keys] && !(touch && forKeyboard.includes(keys)))
        .map(([keys, act]) => ({
          id: `${place} ${keys}`,
          icon: sentences[keys]!,
          label: (keyTexts()[place] as Record<string, string>)[keys]!,
          keys: keys as NonNullable<Verb['keys']>,
          run: () => act(new KeyboardEvent('keydown')),
        })),
    );
}
