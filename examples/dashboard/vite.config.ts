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

/** What `src/main.ts` runs a moment later is loaded at once, with the page. */
const preload: Plugin = {
  name: 'preload',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/page.tsx'));
      return (page === undefined ? [] : [page.fileName, ...page.imports]).map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
      }));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), routes, preload],
  server: { strictPort: true },
  // What draws the page on the server needs no packages beside it.
  ssr: { noExternal: true },
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // All that runs before the first frame beside `src/main.ts`.
            { name: 'loading', test: /vite\/preload-helper/, priority: 1 },
            // What several pages need is one script, and not a dozen that are asked for at once.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
});
