import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test('case, accents and apostrophes make no difference', () => {
  expect(['Århus', 'ŁÓDŹ', 'Xi’an', 'Straße', 'Øresund', 'İzmir'].map(fold)).toEqual([
    'arhus',
    'lodz',
    'xian',
    'strasse',
    'oresund',
    'izmir',
  ]);
});
