/** `npm run test:release [-- --all]`: see test-package.ts. */
import { testPackage } from './test-package.ts';

const { passed, failed } = await testPackage({ all: process.argv.includes('--all') });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
