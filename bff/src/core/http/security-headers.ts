import { serverHeader } from '../limits/field-rules.ts';

/**
 * Allows only what the web app needs: nothing from other origins, nothing inline. Text becomes code or HTML only by the app's own
 * rules (`web/src/app/trusted-types.ts`).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

/** The headers of every response, including errors and streams. */
export function securityHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    [serverHeader]: '1',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'geolocation=(self), screen-wake-lock=(self), camera=(self), microphone=(), payment=(), usb=()',
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
