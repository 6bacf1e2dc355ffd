export const app_update = {
  ready: 'Eine neue Version ist bereit',
};
