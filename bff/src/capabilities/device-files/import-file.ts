/** The command `import`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { CommandError, UsageError, type Asked } from '../../core/command.ts';
import { guessEncoding } from './csv-parser.ts';
import { readDevices, readLetterO } from './device-import.ts';
import { isGeoJson, tableOfGeoJson, type GeoJsonError } from './geojson.ts';
import { importDevices } from './import-devices.ts';

const clearLine = process.stderr.isTTY ? '\r\u001b[2K' : '';
const format = (count: number) => count.toLocaleString('en');

const geoJsonFaults: Record<GeoJsonError, string> = {
  not_json: 'it is not complete JSON',
  not_geojson: 'it is not a GeoJSON FeatureCollection of points',
  other_coordinates: 'its coordinates are not degrees in WGS 84, the only ones that can be imported',
};

export async function importFile({ args, options: { user }, connect }: Asked): Promise<number> {
  const [file, ...rest] = args;
  if (!user || !file || rest.length > 0) throw new UsageError('import takes --user NAME and one FILE');
  const content = await readFile(file);
  const encoding = guessEncoding(content);
  // Each feature is a row, below the names of the properties.
  const isFeatures = isGeoJson({ name: file });
  const table = isFeatures ? tableOfGeoJson(new TextDecoder(encoding).decode(content)) : [content];
  if (typeof table === 'string') throw new CommandError(`${file}: ${geoJsonFaults[table]}`);
  const letterO = isFeatures ? undefined : await readLetterO(Readable.from(table), encoding);
  if (encoding !== 'utf-8') process.stderr.write(`read as ${encoding}\n`);
  await using connection = await connect();
  const { stored, updated, failed } = await importDevices({
    operator: connection.operator,
    user,
    about: { file: basename(file), hash: createHash('sha256').update(content).digest('hex') },
    records: readDevices(isFeatures ? table.join('') : Readable.from([content]), {
      encoding,
      countsRows: isFeatures,
      letterO,
      onLinesAbove: (lines) =>
        process.stderr.write(
          `above the column names, not imported: ${lines.map(({ line, text }) => `line ${line} "${text}"`).join(', ')}\n`,
        ),
      onLeftOut: (names) => process.stderr.write(`not imported: ${names.map((name) => `"${name}"`).join(', ')}\n`),
    }),
    onFailed: (line) =>
      process.stderr.write(
        `${clearLine}${isFeatures ? line.replace(/^line (\d+)/, (_, row) => `feature ${Number(row) - 1}`) : line}\n`,
      ),
    onProgress: (count) => process.stderr.isTTY && process.stderr.write(`${clearLine}${format(count)} done`),
  });
  const updates = updated > 0 ? `${format(updated)} updated, ` : '';
  process.stderr.write(`${clearLine}${format(stored)} stored, ${updates}${format(failed)} failed\n`);
  return failed > 0 ? 2 : 0;
}
