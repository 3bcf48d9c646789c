import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { allowOrigin, lacreOf } from './server/lacre.ts';
import { tokenRoute } from './server/token-route.ts';

/** `npm run dev` gives tokens to the page as the page's own server does, and lets its origin use them. */
const tokens: Plugin = {
  name: 'access-tokens',
  async configureServer({ config, middlewares }) {
    const lacre = lacreOf(process.env);
    middlewares.use('/token', tokenRoute(lacre));
    await allowOrigin(lacre, `http://localhost:${config.server.port}`);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tokens],
  server: { strictPort: true },
});
