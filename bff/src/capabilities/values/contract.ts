/** Numbers and states in messages, over time. */
import type { Declaration } from '../../core/declaration.ts';
import type { SwarmValues, Values } from './values.schema.ts';
import { members, ownersAndFellowMembers, resourceOwner } from '../../core/endpoint/rules.ts';
import { list } from '../../core/limits/job-rows.ts';
import { inReader, written } from '../../core/limits/operation-rows.ts';
import { valueJob, valueLimits } from './limits.ts';

export type { SwarmValues, ValueSeries, Values } from './values.schema.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/resources/:id/values': Values;
    '/api/swarms/:id/values': SwarmValues;
  }
}

export const valuesRows = {
  policy: {
    getValues: { rule: ownersAndFellowMembers, scope: 'read' },
    setValueKeys: { rule: resourceOwner, scope: 'all' },
    getSwarmValues: { rule: members, scope: 'read' },
  },
  limits: {
    getValues: { ...inReader, isStreamed: true },
    setValueKeys: written,
    getSwarmValues: { ...inReader, isStreamed: true },
  },
  jobs: {
    values: {
      rows: valueJob.window,
      KiB: valueJob.windowBytes / 1024,
      statements: 4 * valueJob.devices,
      in: ['capabilities/values/record-values.store.ts'],
    },
    getValues: { ...list, KiB: valueLimits.messageBytes / 1024 },
    getSwarmValues: { ...list, KiB: valueLimits.messageBytes / 1024 },
  },
  problems: {
    'values.not_recorded': [409, 'The values of this resource are not recorded'],
  },
} as const satisfies Declaration;
