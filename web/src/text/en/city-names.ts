/**
 * English names of cities that GeoNames has in the language of the country. Vector tiles and everything else in English have these, so
 * that a city has one name.
 */
export const cityNames: Readonly<Record<string, string>> = {
  'BE Antwerpen': 'Antwerp',
  'BE Brugge': 'Bruges',
  'BE Gent': 'Ghent',
  'CH Genève': 'Geneva',
  'CH Luzern': 'Lucerne',
  'DE Braunschweig': 'Brunswick',
  'DE Hannover': 'Hanover',
  'DE Köln': 'Cologne',
  'DE Nürnberg': 'Nuremberg',
  'DK Århus': 'Aarhus',
  'ES Sevilla': 'Seville',
  'GR Irákleion': 'Heraklion',
  'GR Pátra': 'Patras',
  'GR Thessaloníki': 'Thessaloniki',
  'IT Mantova': 'Mantua',
  'IT Padova': 'Padua',
  'IT Siracusa': 'Syracuse',
  'PA Panamá': 'Panama City',
  'RU Rostov-na-Donu': 'Rostov-on-Don',
  'SE Göteborg': 'Gothenburg',
  'UA Odessa': 'Odesa',
  'US New York City': 'New York',
};
