// The document of tests has no layout, so nothing is measured.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// Files share the window of their worker: each begins at the home page, after the steps in the history that the one before has left.
await new Promise((resolve) => setTimeout(resolve, 0));
history.pushState(null, '', '/');
