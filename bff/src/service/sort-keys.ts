/**
 * The search and sort keys of lists. Folding does not depend on the user's language, so that all users have the same
 * order.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The folded name, with the length of each number before it, so that "Sensor 2" sorts before "Sensor 10". */
export function nameKey(name: string): string {
  return fold(name).replace(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=.)/, '');
    return String.fromCharCode(48 + Math.min(significant.length, 9)) + significant;
  });
}
