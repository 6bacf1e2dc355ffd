import { loadTexts } from './text.ts';

await loadTexts('en');

// the files of a worker share one window: each begins with an empty page
document.body.replaceChildren();
