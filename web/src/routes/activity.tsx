export { ActivityPage as Component } from '../features/activity/activity-page.tsx';
