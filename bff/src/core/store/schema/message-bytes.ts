import { messageLimits } from '../../limits/field-rules.ts';

/** SQL: the bytes of a row of `messages`, as the shares of its swarm and of its user count them. `row`: its name, with a point. */
export const bytesOfMessage = (row = ''): string =>
  `octet_length(${row}payload) + coalesce(octet_length(${row}properties), 0) + ${messageLimits.rowBytes}`;
