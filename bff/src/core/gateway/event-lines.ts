import type { GatewayEvent } from '../../contract.ts';
import type { Service } from '../../service/service.ts';

/** Events of the service that are sent together. */
export type EventBatch = Parameters<Parameters<Service['events']['subscribe']>[0]['send']>[0];

/** It has no `id:`, because older events may not have been sent yet: the client's cursor stays. */
export const lineOf = (event: GatewayEvent) => `data: ${JSON.stringify(event)}\n\n`;
