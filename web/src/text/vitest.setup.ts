import { loadTexts } from './text.ts';

await loadTexts('en');
