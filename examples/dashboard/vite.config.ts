import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { demoAccounts } from './server/accounts.ts';
import { allowOrigin, lacreOf } from './server/lacre.ts';
import { createRoutes } from './server/routes.ts';

/** `npm run dev` answers the page as its own server does, and lets its origin ask Lacre. */
const routes: Plugin = {
  name: 'routes',
  async configureServer({ config, middlewares }) {
    const lacre = lacreOf(process.env);
    const { route } = createRoutes(lacre, demoAccounts());
    middlewares.use((request, response, next) => {
      route(request, response).then((isDone) => isDone || next(), next);
    });
    await allowOrigin(lacre, `http://localhost:${config.server.port}`);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), routes],
  server: { strictPort: true },
  // What several pages need is one script, and not a dozen that are asked for at once.
  build: {
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
  },
});
