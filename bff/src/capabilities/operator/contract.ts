/** What operators do with users. */
import type { Declaration } from '../../core/declaration.ts';
import { inReader, write, written } from '../../core/limits/operation-rows.ts';

/** `GET /api/operator/stats`. Without the partners of demos, who cannot sign in. */
export interface ServerStats {
  users: number;
  disabled: number;
  /** Users with a session. */
  signed_in: number;
  sessions: number;
  keys: number;
  resources: number;
  swarms: number;
  members: number;
  /** Open ones. */
  invitations: number;
  at: string;
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/operator/stats': ServerStats;
  }
}

export const operatorRows = {
  limits: {
    'GET /api/operator/users': inReader,
    'GET /api/operator/users/:name': inReader,
    'GET /api/operator/stats': inReader,
    'POST /api/operator/users/:name/disable': write,
    'POST /api/operator/users/:name/enable': write,
    'POST /api/operator/users/:name/sign-out': write,
    'POST /api/operator/users/:name/link': written,
  },
  problems: {
    'operator.required': [403, 'Only an operator may do this', 'app'],
    'user.is_operator': [403, 'Only the command makes a link for an operator', 'app'],
    'user.no_password': [409, 'The user is disabled, or has no password', 'app'],
    'user.not_found': [404, 'User not found', 'app'],
  },
} as const satisfies Declaration;
