/** Texts about the streets of a map file, which are no part of the first view. */
export const streets = {
  unknown_layers: 'The layers in {name} are not known. The built-in map is shown.',
};
