import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { lacreOf } from './server/lacre.ts';
import { tokenRoute } from './server/token-route.ts';

/** `npm run dev` answers the page's question for a token as the page's own server does. */
const tokens: Plugin = {
  name: 'access-tokens',
  configureServer: ({ middlewares }) => void middlewares.use('/token', tokenRoute(lacreOf(process.env))),
};

export default defineConfig({ root: import.meta.dirname, plugins: [react(), tokens] });
