import { expect, test } from 'vitest';
import { rules } from './trusted-types.ts';

test.each(['/service-worker.js', '/assets/world.worker-B8y_keiJ.js', `${location.origin}/assets/a.js`])(
  '%s may run as a worker',
  (url) => expect(rules.createScriptURL(url)).toBe(url),
);

test.each([
  'data:text/javascript,alert(1)',
  'blob:http://localhost/1',
  'https://elsewhere.example/assets/a.js',
  '//elsewhere.example/assets/a.js',
  '/service/export?q=alert',
  '/assets/../service/export',
  '/assets/%2e%2e/service/export',
  '/service-worker.js/../service/export',
  '/assetsx/a.js',
  '/boot.js',
  'http://[',
])('%s may not', (url) => expect(rules.createScriptURL(url)).toBe(null));

test('the only text that becomes HTML is the one of Leaflet', () => {
  expect(rules.createHTML('<svg/>')).toBe('<svg/>');
  for (const text of ['', 'plain', '<b>', '<svg/><img src=x onerror=alert(1)>'])
    expect(rules.createHTML(text)).toBe(null);
});
