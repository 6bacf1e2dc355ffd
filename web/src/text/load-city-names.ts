import { language } from './language.ts';

const cityNames = import.meta.glob<Readonly<Record<string, string>>>('./*/city-names.ts', { import: 'cityNames' });

/** The names of cities in the user's language, by country and English name (`EG Cairo`), for those that have another. */
export async function loadCityNames(): Promise<Readonly<Record<string, string>>> {
  return (await cityNames[`./${language}/city-names.ts`]?.()) ?? {};
}
