/** What the session gate shows besides the app. In one file, because its name costs room in the first one. */
export { RequiredPage } from './second-factor/required-page.tsx';
export { SessionEnds } from './session-ends.tsx';
export { SessionEnded } from './session-ended.tsx';
