/** Words of the map that no first look needs. */
export const mapLater = {
  pc: 'PC',
  bug: 'Bug',
  smartphone: 'Smartphone',
  cluster: 'Devices close together: their number, and shares of machine types',
  dot: 'A device; the stronger, the more of them are there',
  hovered: 'Under the pointer, here or in the list',
  selected: 'Selected',
  dots: 'Every device as a dot',
  own_location: 'Your location',
  /** Of a line on the map: 54.5° N. */
  north: (degrees: string) => `${degrees}° N`,
  south: (degrees: string) => `${degrees}° S`,
  east: (degrees: string) => `${degrees}° E`,
  west: (degrees: string) => `${degrees}° W`,
  tiles: {
    credits: 'Tiles: {owner}',
    failed: 'Tiles of {host} do not load; the built-in map shows.',
    some_failed: 'Some tiles of {host} do not load.',
    missing: '{host} has no tiles here; the built-in map shows.',
  },
};
