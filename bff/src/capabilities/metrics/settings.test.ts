import { expect, test } from 'vitest';
import { readConfig } from '../../core/config/config.ts';
import { readSettings } from './settings.ts';

const capabilities = { metrics: { readSettings } };
const read = (METRICS: string) =>
  readConfig({ env: { DATA_DIR: '/data', METRICS }, clone: undefined, capabilities }).ofCapabilities['metrics'];

test.each([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
])('METRICS=%s is an address and a port', (text, metrics) => {
  expect(read(text)).toEqual(metrics);
});

test.each([
  '9464',
  ':9464',
  'on',
  '127.0.0.1',
  '127.0.0.1:99999',
  '::1:9464',
  '[127.0.0.1]:9464',
  'http://127.0.0.1:9464',
])('METRICS=%s is refused because it is no address with a port', (text) => {
  expect(() => read(text)).toThrow('METRICS=');
});
