import { withCapabilities } from '../collect.ts';
import type { ProblemRow } from '../declaration.ts';
import { limits, userNameInWords } from '../limits/field-rules.ts';
import { idempotencyLimits, signInLimits } from '../limits/part-limits.ts';

const password = signInLimits.passwordLength;

/** RFC 9457. `code` is `noun.what_happened`; `pointer` is a JSON pointer into the request body. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

/** All errors that this server responds with: status and title of each code. `app`: only the endpoints of the web app do. */
export const problemCodes = withCapabilities('problems', {
  'account.confirmation_wrong': [400, 'Incorrect user name or password', 'app'],
  'body.encoded': [415, 'Compressed request bodies are not supported'],
  'body.invalid': [400, 'Invalid request body'],
  'body.not_json': [415, 'The content type must be application/json'],
  'body.too_large': [413, `The request body is larger than ${limits.bodyBytes / 1024} KiB`],
  'body.unreadable': [400, 'The request body is not valid JSON'],
  'confirm.wrong': [400, 'The confirmation failed. Check what you entered, or use another way'],
  'events.too_many': [409, 'The limit of open streams is reached'],
  'idempotency.in_flight': [409, 'Another request with this Idempotency-Key is still being processed'],
  'idempotency.key_invalid': [
    400,
    `An Idempotency-Key must have 1 to ${idempotencyLimits.keyLength} visible ASCII characters`,
  ],
  'idempotency.other_body': [400, 'This Idempotency-Key was already used with a different request body'],
  'invitation.already_answered': [409, 'This invitation has already been answered'],
  'invitation.ended': [409, 'The time for which this was offered is over'],
  'invitation.not_found': [404, 'Not found, or you do not have access'],
  'invitation.too_many': [409, 'This account has reached the limit of open invitations'],
  'key.invalid': [401, 'Missing or invalid API key'],
  'key.not_allowed': [403, 'The key of a device is only for its own record, messages and swarms'],
  'key.not_found': [404, 'API key not found', 'app'],
  'key.scope': [403, 'The scope of this API key does not allow this'],
  'key.throttled': [429, 'Too many requests with invalid API keys'],
  'key.too_many': [409, 'This account has reached the limit of API keys', 'app'],
  'membership.cannot_widen': [403, 'A role can only be reduced. To add a role, send an invitation'],
  'membership.exists': [409, 'The resource already has this role in the swarm'],
  'membership.not_found': [404, 'Not found, or you do not have access'],
  'membership.too_many': [409, 'This swarm has reached the limit of members'],
  'membership.too_many_swarms': [409, 'The resource is in as many swarms as it can be'],
  'origin.refused': [403, 'Cross-origin requests are not allowed', 'app'],
  'password.too_common': [400, 'Many people use this password, so it is easy to guess. Choose another one', 'app'],
  'password.too_weak': [400, `A password must have ${password.least} to ${password.most} characters`, 'app'],
  'password.wrong': [400, 'Incorrect current password', 'app'],
  'query.invalid': [400, 'Invalid query parameter'],
  'rate.exceeded': [429, 'Too many requests'],
  'request.aborted': [400, 'The client closed the connection before the response'],
  'request.head_too_large': [431, 'The request header is larger than 16 KiB'],
  'request.method_override': [400, 'Overriding the method is not supported. Send the request with that method instead'],
  'request.path_too_long': [414, `The path is longer than ${limits.pathLength.toLocaleString('en')} characters`],
  'request.too_slow': [408, 'The request was not completed in time'],
  'request.unreadable': [400, 'Malformed request'],
  'resource.changed': [412, 'The resource was changed in the meantime'],
  'resource.forbidden': [403, 'You do not have permission to perform this operation on the resource'],
  'resource.not_found': [404, 'Not found, or you do not have access'],
  'resource.too_many': [409, 'This account has reached the limit of resources'],
  'route.method_not_allowed': [405, 'Method not allowed for this path'],
  'route.not_found': [404, 'Not found, or you do not have access'],
  'server.failed': [500, 'Internal server error'],
  'service.away': [503, 'The service is temporarily unavailable'],
  'session.confirm': [403, 'Confirm that it is you first', 'app'],
  'sign_in.provider_only': [403, 'This server has no passwords. Sign in with a provider or a passkey', 'app'],
  'second_factor.last': [409, 'This server requires a second factor, and this is the last one of this account'],
  'second_factor.required': [403, 'This server requires a second factor'],
  'session.missing': [401, 'You are not signed in', 'app'],
  'session.not_found': [404, 'Session not found', 'app'],
  'sign_in.disabled': [401, 'This account cannot sign in', 'app'],
  'sign_in.insecure_origin': [
    403,
    'Browsers do not store the session cookie over plain HTTP. Use HTTPS or http://localhost',
    'app',
  ],
  'sign_in.last_way': [409, 'This is the last way to sign in to this account', 'app'],
  'sign_in.step_ended': [400, 'This sign-in has taken too long, or began in another browser. Begin again', 'app'],
  'sign_in.wrong_password': [401, 'Incorrect user name or password', 'app'],
  'sign_up.closed': [403, 'This server does not accept new accounts', 'app'],
  'sign_up.name_invalid': [400, `A user name must have ${userNameInWords}`, 'app'],
  'sign_up.name_taken': [409, 'This user name is taken', 'app'],
  'storage.away': [503, 'The storage is temporarily unavailable'],
  'storage.full': [507, 'The disk is full. Nothing was stored'],
  'swarm.changed': [412, 'The swarm was changed in the meantime'],
  'swarm.forbidden': [403, 'You do not have permission to perform this operation on the swarm'],
  'swarm.not_found': [404, 'Not found, or you do not have access'],
  'swarm.too_many': [409, 'This account has reached the limit of swarms'],
} as const satisfies Record<string, ProblemRow>);

export type ProblemCode = keyof typeof problemCodes;
