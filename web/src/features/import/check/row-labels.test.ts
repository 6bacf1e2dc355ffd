import { expect, test } from 'vitest';
import { rowLabels } from './row-labels.ts';

test('a row is called by its line, or by the number of its feature, also once only the name of the file is known', () => {
  const nameOf = (file: string) => {
    const { say, number } = rowLabels({ file, line: 2 });
    return say.name(number);
  };
  expect(nameOf('buoys.csv')).toBe('line 2');
  expect(nameOf('buoys.geojson')).toBe('feature 1');
});
