export { UsersPage as Component } from '../features/account/operator/users-page.tsx';
