/** The metrics of the server for Prometheus. */
import type { Declaration } from '../../core/declaration.ts';

export const metricsRows = {} as const satisfies Declaration;
