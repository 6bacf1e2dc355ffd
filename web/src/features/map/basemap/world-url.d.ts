/** Where the outlines of the world are in one grade of detail (world.plugin.ts). */
declare module 'virtual:world-*' {
  const url: string;
  export default url;
}
