const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * How well words fit what was typed: 0 not at all, else the more the better. Every word typed has to begin a word,
 * or at the least stand within one.
 */
export function score({ typed, label, also = '' }: { typed: string; label: string; also?: string }): number {
  const wanted = fold(typed).split(/\s+/).filter(Boolean);
  const [name, other] = [fold(label), fold(also)];
  if (wanted.length === 0) return 1;
  if (name.startsWith(fold(typed).trim())) return 4;
  const begins = (text: string, word: string) => text.split(/[\s“”(]+/).some((each) => each.startsWith(word));
  if (wanted.every((word) => begins(name, word))) return 3;
  if (wanted.every((word) => begins(name, word) || begins(other, word))) return 2;
  return wanted.every((word) => name.includes(word)) ? 1 : 0;
}

/** Those whose own name fits before those that were found by something else; alike ones stay in their order. */
export function bestFirst<T extends { name: string }>({ typed, items }: { typed: string; items: readonly T[] }): T[] {
  const scored = items.map((item) => ({ item, fits: score({ typed, label: item.name }) }));
  return scored.toSorted((a, b) => b.fits - a.fits).map(({ item }) => item);
}

/** Those whose name fits, the best first; none while nothing is typed. */
export function named<T extends { name: string }>({ typed, items }: { typed: string; items: readonly T[] }): T[] {
  if (typed.trim() === '') return [];
  return bestFirst({ typed, items: items.filter(({ name }) => score({ typed, label: name }) > 0) });
}

/** The text cut around the first place where it says what was typed; null where it does not. */
export function hit({ text, typed }: { text: string; typed: string }): [string, string, string] | null {
  const wanted = typed.trim().toLowerCase();
  const low = text.toLowerCase();
  // a letter that has another length in lower case would move the cut
  const at = wanted === '' || low.length !== text.length ? -1 : low.indexOf(wanted);
  return at < 0 ? null : [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)];
}
