import { onlineManager } from '@tanstack/react-query';

// A test of a file before may have said that there is no network, which a client that was left has heard: all requests would wait.
onlineManager.setOnline(true);
