/** The URL of the outlines in one level of detail, which the build creates (world.plugin.ts). */
declare module 'virtual:world-*' {
  const url: string;
  export default url;
}
