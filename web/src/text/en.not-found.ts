/** Loads with the page of an address that leads nowhere. */
export const notFound = {
  title: 'There is no such page',
  text: 'The address may be mistyped, or the page is gone.',
  home: 'To your devices',
};
