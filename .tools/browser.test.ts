import { expect, test, vi } from 'vitest';
import { providePrograms } from './browser.ts';

test('an installed program is found on the PATH', () => {
  expect(providePrograms({ programs: ['sh'], packages: [] })[0]).toMatch(/\/sh$/);
});

test('a program that cannot be installed fails with its name and its packages', () => {
  // without apt-get nothing can be installed
  vi.stubEnv('PATH', '/nonexistent');
  const provide = () => providePrograms({ programs: ['WebKitWebDriver'], packages: ['webkit2gtk-driver', 'xvfb'] });
  expect(provide).toThrow('There is no WebKitWebDriver. Install the packages webkit2gtk-driver, xvfb.');
});
