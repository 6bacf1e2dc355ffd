/** The files of cells, which the build creates (cells.plugin.ts). */
declare module 'virtual:cells' {
  export const folder: string;
  /** Of each kind, which cells have a file: a bit each, four in a hexadecimal digit. */
  export const filled: Readonly<Record<string, string>>;
}
