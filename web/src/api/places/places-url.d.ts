/** Where the places of the world are, in one grade (places.plugin.ts). */
declare module 'virtual:places-*' {
  const url: string;
  export default url;
}
