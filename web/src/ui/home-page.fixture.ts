import { beforeAll } from 'vitest';

// Files share the window of their worker: each begins at the home page, after the steps in the history that the one before has left.
beforeAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  history.pushState(null, '', '/');
});
