import { expect, it } from 'vitest';
import { validLanguage } from './country-text.ts';

it('countries have English names if the browser language is not a valid tag', () => {
  expect(['C', 'de_DE', '', undefined].map(validLanguage)).toEqual(['en', 'en', 'en', 'en']);
  expect(['de-AT', 'ar', 'EN-gb'].map(validLanguage)).toEqual(['de-AT', 'ar', 'en-GB']);
  for (const tag of ['C', 'tlh', 'x-klingon']) expect(() => 'Chad'.toLocaleUpperCase(validLanguage(tag))).not.toThrow();
});
