export const app_update = {
  ready: 'A new version is ready',
};
