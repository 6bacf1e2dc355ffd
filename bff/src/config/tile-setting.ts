/** Parses the two settings of tiles. Imports nothing. */

/** `{z}`, `{x}` and `{y}` are the tile, `{r}` is `@2x` for high-density screens. */
const placeholders = ['{z}', '{x}', '{y}', '{r}'];

/** The attribution of tiles: a text, and the URL of a page about them. */
export interface TileAttribution {
  text: string;
  url?: string;
}

/** The URL template; undefined if it is not one of an XYZ server. */
export function readTileUrl(text: string): string | undefined {
  const named: string[] = text.match(/\{[^}]*\}/g) ?? [];
  const isWhole = placeholders.slice(0, 3).every((name) => named.includes(name));
  if (!isWhole || !named.every((name) => placeholders.includes(name)) || /[\s#\\]/.test(text)) return undefined;
  const address = /^https?:\/\/([^/?{}]+)\//i.exec(text);
  // A user name and password would be sent to other servers and written to logs.
  if (!address || address[1]!.includes('@') || !URL.canParse(text.replaceAll(/[{}]/g, ''))) return undefined;
  return text;
}

/** Plain text, optionally followed by a URL. */
export function readTileAttribution(text: string): TileAttribution | undefined {
  if (/[<>\p{Cc}]|&\w+;/u.test(text) || text.length > 200) return undefined;
  const found = /^(.+?)\s+(https?:\/\/\S+)$/.exec(text.trim());
  const [words, url] = found ? [found[1]!, found[2]!] : [text.trim(), undefined];
  if (words === '' || /^https?:/.test(words) || (url && !URL.canParse(url))) return undefined;
  return { text: words, ...(url && { url: new URL(url).href }) };
}
