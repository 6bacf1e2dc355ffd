import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test('fold removes case, accents and apostrophes', () => {
  expect(['Århus', 'ŁÓDŹ', 'Xi’an', 'Straße', 'Øresund', 'İzmir'].map(fold)).toEqual([
    'arhus',
    'lodz',
    'xian',
    'strasse',
    'oresund',
    'izmir',
  ]);
});
