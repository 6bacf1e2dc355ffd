/** For `npx vitest` and editors in this folder. */
export { default } from '../.vitest.config.ts';
