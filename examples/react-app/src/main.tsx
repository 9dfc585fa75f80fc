import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element with the id "app"');
createRoot(root).render(
  <QueryClientProvider client={new QueryClient()}>
    <App />
  </QueryClientProvider>,
);
