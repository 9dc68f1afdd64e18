import path from 'node:path';
import { defineConfig } from 'vite';

/** Builds the console into dist/console, from where src/http/pages.ts serves it. File names under `assets` have a hash of their content. */
const root = path.join(import.meta.dirname, '..');

export default defineConfig({
  root: path.join(root, 'src/console'),
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: path.join(root, 'dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false }, // it would be a script within the page, which the page's policy refuses
    assetsInlineLimit: 0,
  },
});
