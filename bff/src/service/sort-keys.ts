/** What the lists search and sort by. Folding is by code, not by the reader's language: one order for everybody. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Folded, with runs of digits led by their length, so that "Sensor 2" comes before "Sensor 10". */
export function nameKey(name: string): string {
  return fold(name).replace(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=.)/, '');
    return String.fromCharCode(48 + Math.min(significant.length, 9)) + significant;
  });
}
