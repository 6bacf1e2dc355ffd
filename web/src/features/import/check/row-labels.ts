import { formatNumber, t } from '../../../text/text.ts';
import { isGeoJson } from '@swarmdeck/bff/geojson';

/** Rows of a CSV file are called by their line, and features of a GeoJSON file by their number. */
export function rowLabels({ file, line }: { file: string | undefined; line: number }) {
  const say = t.import.check;
  // The table of a GeoJSON file has a header.
  return file !== undefined && isGeoJson({ name: file })
    ? { number: formatNumber(line - 1), say: { name: say.feature, fix: say.fix_feature, show: say.show_feature } }
    : { number: formatNumber(line), say: { name: say.line, fix: say.fix_line, show: say.show_line } };
}
