export { UsersPage as Component } from '../features/operator/users-page.tsx';
