import { nothingToCheck, type CheckedBindings } from '../core/http/request-bindings.ts';

/** Of a request that did not come by HTTP. */
export const testBindings = (of: Partial<CheckedBindings> = {}): CheckedBindings => ({
  requestId: () => 'r1',
  clientAddress: () => '192.0.2.1',
  outgoing: undefined,
  recheckAccess: nothingToCheck,
  ...of,
});
