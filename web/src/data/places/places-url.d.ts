/** The URL of a places file, which the build creates (places.plugin.ts). */
declare module 'virtual:places-*' {
  const url: string;
  export default url;
}
