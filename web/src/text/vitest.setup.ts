import { vi } from 'vitest';
import { loadTexts } from './text.ts';

// the files of a worker share one window: each begins with an empty page, and without the browser of the last test before it
document.body.replaceChildren();
vi.unstubAllGlobals();

await loadTexts('en');
