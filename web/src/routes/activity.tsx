export { ActivityPage as Component } from '../features/account/activity/activity-page.tsx';
