import { onlineManager } from '@tanstack/react-query';
import { forgetPage } from './new-page.ts';

// Test files share their modules: what one has left, such as unsaved input, is not of the page of the next one.
forgetPage();
// A test of a file before may have said that there is no network, which a client that was left has heard: all requests would wait.
onlineManager.setOnline(true);
