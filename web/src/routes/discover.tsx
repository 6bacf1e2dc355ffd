export { DiscoverPage as Component } from '../features/swarms/discover/discover-page.tsx';
