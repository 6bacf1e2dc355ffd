import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { toggleChosen } from './filter-params.ts';

test('values are added and removed in a fixed order', () => {
  const filters: DeviceFilters = { audience: 'own', q: 'pier' };
  const both = toggleChosen(toggleChosen(filters, 'machine_type', 'smartphone'), 'machine_type', 'pc');
  expect(both).toEqual({ ...filters, machine_type: ['pc', 'smartphone'] });
  expect(toggleChosen(both, 'machine_type', 'pc')).toEqual({ ...filters, machine_type: ['smartphone'] });
  expect(toggleChosen({ resource_type: ['both'] }, 'resource_type', 'both')).toEqual({ resource_type: [] });
});
