import { isAbsolute } from 'node:path';
import { ConfigError, type SettingSource } from '../../core/config/config.ts';
import { openArchive } from './archive.ts';
import type { TileSource } from './tiles.ts';

/** `{z}`, `{x}` and `{y}` are the tile, `{r}` is `@2x` for high-density screens. */
const placeholders = ['{z}', '{x}', '{y}', '{r}'];

/** The attribution of tiles: a text, and the URL of a page about them. */
interface TileAttribution {
  text: string;
  url?: string;
}

/** The URL template; undefined if it is not one of an XYZ server. */
export function readTileUrl(text: string): string | undefined {
  const isWhole = placeholders.slice(0, 3).every((name) => text.includes(name));
  const rest = placeholders.reduce((shorter, name) => shorter.replaceAll(name, ''), text);
  if (!isWhole || /[{}\s#\\]/.test(rest)) return undefined;
  const address = /^https?:\/\/([^/?{}]+)\//i.exec(text);
  // A user name and password would be sent to other servers and written to logs.
  if (!address || address[1]!.includes('@') || !URL.canParse(text.replaceAll(/[{}]/g, ''))) return undefined;
  return text;
}

/** Plain text, optionally followed by a URL. */
export function readTileAttribution(text: string): TileAttribution | undefined {
  if (/[<>\p{Cc}]|&\w+;/u.test(text) || text.length > 200) return undefined;
  const trimmed = text.trim();
  const at = trimmed.search(/\shttps?:\/\/\S+$/);
  const [words, url] = at === -1 ? [trimmed, undefined] : [trimmed.slice(0, at).trim(), trimmed.slice(at + 1)];
  if (words === '' || /^https?:/.test(words) || (url && !URL.canParse(url))) return undefined;
  return { text: words, ...(url && { url: new URL(url).href }) };
}

interface Settings {
  /** The URL template of the tiles. Undefined if there are none. */
  tileUrl: string | undefined;
  /** The path of a PMTiles archive with tiles, instead of `tileUrl`. */
  mapFile: string | undefined;
  attribution: TileAttribution | undefined;
}

export function readSettings({ setting, fault }: SettingSource): Settings {
  const tileUrl = setting(
    'TILE_URL',
    undefined,
    readTileUrl,
    'an address on one http(s) host, like https://tile.example.org/{z}/{x}/{y}.png, {r} where it has @2x',
  );
  const mapFile = setting(
    'MAP_FILE',
    undefined,
    (text) => (isAbsolute(text) ? text : undefined),
    'the absolute path of a PMTiles archive',
  );
  const attribution = setting(
    'TILE_ATTRIBUTION',
    undefined,
    readTileAttribution,
    'plain text of 200 characters at most, with the address of a page at its end where there is one',
  );
  if (tileUrl && mapFile) fault('MAP_FILE: only one of it and TILE_URL can be set');
  return { tileUrl, mapFile, attribution };
}

/** @throws ConfigError if the archive cannot be used */
export async function openSource(
  { tileUrl: url, mapFile, attribution }: Settings,
  { version }: { version: string },
): Promise<TileSource | undefined> {
  if (url !== undefined) return { url, attribution, userAgent: `Swarmdeck/${version}` };
  if (mapFile === undefined) return undefined;
  const archive = await openArchive(mapFile).catch((error: Error) => {
    throw new ConfigError([`MAP_FILE=${JSON.stringify(mapFile)}: ${error.message}`]);
  });
  return { archive, attribution };
}
