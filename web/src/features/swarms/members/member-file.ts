import type { Member } from '@swarmdeck/bff/contract';
import { deviceFile, deviceFiles, escapeFormula, toLine, type DeviceFormat } from '@swarmdeck/bff/device-export';

/** The parts of a file with members: those of their devices, with `user_id` and `resource_type`. */
export function memberFile(format: DeviceFormat, members: readonly Member[]): string[] {
  if (format === 'geojson') {
    const { features } = JSON.parse(deviceFile('geojson', members).join('')) as { features: Feature[] };
    const withOwners = features.map((feature, index) => {
      const { user_id, resource_type } = members[index]!;
      return { ...feature, properties: { ...feature.properties, user_id, resource_type } };
    });
    return [JSON.stringify({ type: 'FeatureCollection', features: withOwners })];
  }
  const { start, write } = deviceFiles.csv;
  const more = (line: string, fields: string[]) => `${line.slice(0, -2)},${toLine(fields, ',')}`;
  return [
    more(start, ['user_id', 'resource_type']),
    ...members.map((member) => more(write(member), [escapeFormula(member.user_id), member.resource_type])),
  ];
}

interface Feature {
  properties: object;
}
