/** How the two settings of tiles are read. A leaf. */

/** `{z}`, `{x}` and `{y}` stand for the tile, `{r}` for `@2x` where a screen is that fine. */
const placeholders = ['{z}', '{x}', '{y}', '{r}'];

/** Of whom tiles are, as text, and a page that says more. */
export interface TileAttribution {
  text: string;
  url?: string;
}

/** The address as it was written; undefined: not one of an XYZ server, which all tiles of one map come from. */
export function readTileUrl(text: string): string | undefined {
  const named: string[] = text.match(/\{[^}]*\}/g) ?? [];
  const isWhole = placeholders.slice(0, 3).every((name) => named.includes(name));
  if (!isWhole || !named.every((name) => placeholders.includes(name)) || /[\s#\\]/.test(text)) return undefined;
  const address = /^https?:\/\/([^/?{}]+)\//i.exec(text);
  // a name and password would go into logs and error messages of others
  if (!address || address[1]!.includes('@') || !URL.canParse(text.replaceAll(/[{}]/g, ''))) return undefined;
  return text;
}

/** Plain text; an address at its end is where it leads to. */
export function readTileAttribution(text: string): TileAttribution | undefined {
  if (/[<>\p{Cc}]|&\w+;/u.test(text) || text.length > 200) return undefined;
  const found = /^(.+?)\s+(https?:\/\/\S+)$/.exec(text.trim());
  const [words, url] = found ? [found[1]!, found[2]!] : [text.trim(), undefined];
  if (words === '' || /^https?:/.test(words) || (url && !URL.canParse(url))) return undefined;
  return { text: words, ...(url && { url: new URL(url).href }) };
}
